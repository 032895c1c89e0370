// SPDX-License-Identifier: BSD-3-Clause
// The text beside the drawing: a view of the document's state, which lives on when the pane is closed.
import { forceLinting, nextDiagnostic, openLintPanel } from '@codemirror/lint';
import { openSearchPanel } from '@codemirror/search';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';
import { currentPlace, useSession } from '../document/current';
import { useStudio } from '../parts';
import { Icon } from '../shell/Icon';
import { useLayout } from '../shell/layout';
import { format } from './extensions';
import { markRanges, rangesOf } from './following';
import './text.css';

export function TextPane() {
  const session = useSession((state) => state.session);
  const host = useSession((state) => state.host);
  const toggle = useLayout((state) => state.toggle);
  const isReadOnly = useStudio((state) => state.isReadOnly);
  const parent = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView | null>(null);

  useEffect(() => {
    if (!session || !parent.current) return undefined;
    const next = new EditorView({ state: session.state, parent: parent.current, dispatchTransactions: (transactions) => session.apply(transactions) });
    session.attach(next);
    setView(next);
    return () => {
      session.attach(null);
      next.destroy();
      setView(null);
    };
  }, [session]);
  useShownPlace(view);
  useMarks(view);

  return (
    <>
      <header className="text-head">
        <h3>Text</h3>
        <span className="space" />
        <button title="Search and replace (Ctrl+F)" disabled={!view} onClick={() => view && openSearchPanel(view)}>
          Find
        </button>
        {!isReadOnly && (
          <button title="Lay out the text like all models (Shift+Alt+F)" disabled={!host} onClick={() => host && void format(host)}>
            Format
          </button>
        )}
        <button className="icon" title="Close the text (Ctrl+E)" aria-label="Close the text" onClick={() => toggle('text', false)}>
          <Icon name="close" />
        </button>
      </header>
      <div className="text-pane" ref={parent} />
      <Foot view={view} />
    </>
  );
}

function Foot({ view }: { view: EditorView | null }) {
  const problems = useStudio((state) => state.look?.problems);
  const errors = problems?.filter((problem) => problem.isError).length ?? 0;
  const warnings = (problems?.length ?? 0) - errors;
  const caret = useCaret();
  const show = () => {
    if (!view) return;
    forceLinting(view);
    openLintPanel(view);
    nextDiagnostic(view);
  };
  return (
    <footer className="text-foot">
      {errors + warnings === 0 ? (
        <span>{problems ? 'No problems' : ''}</span>
      ) : (
        <button title="List the problems (F8: the next one)" onClick={show}>
          {[errors && count(errors, 'error'), warnings && count(warnings, 'warning')].filter(Boolean).join(', ')}
        </button>
      )}
      <span className="space" />
      <span>{caret}</span>
    </footer>
  );
}
const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

function useCaret(): string {
  const session = useSession((state) => state.session);
  const [text, setText] = useState('');
  useEffect(() => {
    if (!session) return undefined;
    const show = () => {
      const at = session.state.selection.main.head;
      const line = session.state.doc.lineAt(at);
      setText(`Line ${line.number}, column ${at - line.from + 1}`);
    };
    show();
    return session.listen({ onSelection: show });
  }, [session]);
  return text;
}

// Goes where showText() was asked to.
function useShownPlace(view: EditorView | null) {
  const place = useLayout((state) => state.place);
  const shown = useRef(0);
  useEffect(() => {
    if (!view || !place || place.asked === shown.current) return;
    shown.current = place.asked;
    const end = view.state.doc.length;
    const anchor = Math.min(place.from, end);
    const head = Math.min(Math.max(place.to, anchor), end);
    view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    view.focus();
  }, [view, place]);
}

// Marks what is selected on the drawing, and brings it into sight unless the text itself is worked in.
function useMarks(view: EditorView | null) {
  const selection = useStudio((state) => state.selection);
  const diagram = useStudio((state) => state.look?.diagram);
  const last = useRef(selection);
  useEffect(() => {
    if (!view) return;
    const ranges = diagram ? rangesOf(diagram, selection, currentPlace) : [];
    const isNew = last.current !== selection;
    last.current = selection;
    const first = ranges[0];
    const effects = [markRanges(ranges), ...(first && isNew && !view.hasFocus ? [EditorView.scrollIntoView(first.from, { y: 'center' })] : [])];
    view.dispatch({ effects });
  }, [view, selection, diagram]);
}
