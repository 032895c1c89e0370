// SPDX-License-Identifier: BSD-3-Clause
// The text beside the drawing: a view of the document's state, which lives on when the pane is closed.
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { useSession } from '../document/current';
import './text.css';

export function TextPane() {
  const session = useSession((state) => state.session);
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!session || !parent.current) return undefined;
    const view = new EditorView({ state: session.state, parent: parent.current, dispatchTransactions: (transactions) => session.apply(transactions) });
    session.attach(view);
    return () => {
      session.attach(null);
      view.destroy();
    };
  }, [session]);
  return <div className="text-pane" ref={parent} />;
}
