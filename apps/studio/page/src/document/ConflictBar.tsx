// SPDX-License-Identifier: BSD-3-Clause
// Asks what is to be done when another program has changed the file; and tells when the server is away.
import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { hbg } from '../text/language';
import { textTheme } from '../text/theme';
import { Dialog } from '../shell/Dialog';
import { exportText } from '../shell/exports';
import { currentSession, useSession } from './current';
import { useConflict } from './disk';
import './conflict.css';

export function ConflictBar() {
  const conflict = useConflict((state) => state.conflict);
  const isThere = useSession((state) => state.isThere);
  const { keepMine, takeDisk, compare } = useConflict.getState();
  return (
    <>
      {!isThere && (
        <div className="conflict-bar is-warning" role="alert">
          <p>The server does not answer. What you change is kept here and sent when it is back; is `hybrsim studio` still running?</p>
          <button className="outlined" onClick={exportText}>
            Download the text
          </button>
        </div>
      )}
      {conflict && (
        <div className="conflict-bar is-warning" role="alert">
          <p>
            Another program has changed <strong>{conflict.path}</strong>, and there are changes here that are not saved.
          </p>
          <button className="outlined" onClick={() => void compare()}>
            Compare
          </button>
          <button className="outlined" onClick={() => void takeDisk()} title="Your changes stay in the undo history">
            Take the disk’s
          </button>
          <button className="outlined" onClick={() => void keepMine()} title="Overwrites the file">
            Keep mine
          </button>
        </div>
      )}
      {conflict?.isCompared && conflict.disk !== null && <Comparison disk={conflict.disk} />}
    </>
  );
}

function Comparison({ disk }: { disk: string }) {
  const { keepMine, takeDisk, stopComparing } = useConflict.getState();
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const session = currentSession();
    if (!parent.current || !session) return undefined;
    const extensions = [lineNumbers(), hbg(), textTheme, EditorState.readOnly.of(true), EditorView.editable.of(false)];
    const view = new MergeView({
      a: { doc: disk, extensions },
      b: { doc: session.state.doc, extensions },
      parent: parent.current,
      collapseUnchanged: { margin: 3, minSize: 6 },
    });
    return () => view.destroy();
  }, [disk]);
  return (
    <Dialog title="What the disk has, and what is here" onClose={stopComparing} isWide>
      <div className="comparison-heads">
        <h3>On the disk</h3>
        <h3>Here</h3>
      </div>
      <div className="comparison" ref={parent} />
      <footer className="dialog-actions">
        <button className="outlined" onClick={() => void takeDisk()}>
          Take the disk’s
        </button>
        <button className="primary" onClick={() => void keepMine()}>
          Keep mine
        </button>
      </footer>
    </Dialog>
  );
}
