// SPDX-License-Identifier: BSD-3-Clause
// Asks where a copy of the open model goes: into the folder, or, when that is the gallery, to the browser's downloads.
import { useState } from 'react';
import type { FormEvent } from 'react';
import { currentSession } from '../document/current';
import { reasonAgainst } from '../gallery/NewModel';
import { filePath } from '../gallery/templates';
import { useStudio } from '../parts';
import { Dialog } from './Dialog';
import { exportText, stemOf } from './exports';

export function SaveCopy({ onClose }: { onClose: () => void }) {
  const folder = useStudio((state) => state.folder);
  const path = useStudio((state) => state.path) ?? '';
  const [title, setTitle] = useState(`${stemOf(path)}-copy`);
  if (folder?.isGallery)
    return (
      <Dialog title="Save a copy" onClose={onClose}>
        <p>
          The models that come with HyBrSim are read only. Download the file, put it into a folder of yours, and open that with <code>hybrsim studio FOLDER</code>.
        </p>
        <footer className="dialog-actions">
          <button
            className="primary"
            onClick={() => {
              exportText();
              onClose();
            }}
          >
            Download the model file
          </button>
        </footer>
      </Dialog>
    );
  const target = filePath(title);
  const reason = reasonAgainst(title, target, target, folder?.models.map((model) => model.path) ?? []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = currentSession()?.state.doc.toString();
    if (text === undefined || reason || !target) return;
    void useStudio.getState().newDocument(target, text).then(() => useStudio.getState().path === target && onClose());
  };
  return (
    <Dialog title="Save a copy" onClose={onClose}>
      <form onSubmit={submit}>
        <label className="field">
          Name of the file
          <input autoFocus value={title} onChange={(event) => setTitle(event.target.value)} onFocus={(event) => event.target.select()} />
        </label>
        <p className={reason ? 'reason' : ''} role="status">
          {reason || `It becomes ${target || '…'} in the folder, and is opened.`}
        </p>
        <footer className="dialog-actions">
          <button type="button" className="outlined" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={!target || reason !== ''}>
            Save
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
