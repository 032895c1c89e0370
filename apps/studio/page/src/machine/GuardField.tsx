// SPDX-License-Identifier: BSD-3-Clause
// One line of the language: a guard, with its colours and what could be written there. Enter, and leaving it, hand it over; Escape takes back what was typed.
import { acceptCompletion, autocompletion, closeBrackets, closeCompletion, completionKeymap, completionStatus } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { useStudio } from '../parts';
import { hbg } from '../text/language';
import { textTheme } from '../text/theme';
import { proposing } from './proposals';
import type { Asking } from './proposals';

type Props = {
  label: string;
  value: string;
  at: number; // place in the text at which to ask what could stand there
  isReadOnly?: boolean;
  hasFocus?: boolean;
  onCommit: (text: string) => void;
  onCancel?: () => void;
};

const oneLine = EditorState.transactionFilter.of((transaction) => (transaction.newDoc.lines > 1 ? [] : transaction));

const fieldTheme = EditorView.theme({
  '&': { height: 'auto', border: '1px solid var(--line-strong)', borderRadius: 'var(--radius)', fontSize: 'var(--size-small)' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-1px' },
  '.cm-content': { padding: '4px 0' },
  '.cm-line': { padding: '0 7px' },
  '.cm-scroller': { lineHeight: '18px', overflowX: 'auto', scrollbarWidth: 'none' },
});

export function GuardField({ label, value, at, isReadOnly = false, hasFocus = false, onCommit, onCancel }: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const access = useRef(new Compartment());
  const latest = useRef({ value, at, onCommit, onCancel });
  latest.current = { value, at, onCommit, onCancel };
  const handed = useRef<string | null>(null); // once: the field is left, too, when Enter has taken it away

  useEffect(() => {
    if (!holder.current) return;
    const asking = (): Asking | null => {
      const { path, version } = useStudio.getState();
      return path === null ? null : { path, version, at: latest.current.at };
    };
    const commit = (editor: EditorView) => {
      const text = editor.state.doc.toString().trim();
      if (text === latest.current.value || text === handed.current) return;
      handed.current = text;
      latest.current.onCommit(text);
    };
    const cancel = (editor: EditorView): boolean => {
      if (completionStatus(editor.state) !== null) return closeCompletion(editor);
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: latest.current.value } });
      latest.current.onCancel?.();
      return true;
    };
    const editor = new EditorView({
      parent: holder.current,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          keymap.of([
            { key: 'Tab', run: acceptCompletion },
            { key: 'Escape', run: cancel, stopPropagation: true },
          ]),
          autocompletion({ override: [proposing(asking, () => useStudio.getState().look)], icons: false, maxRenderedOptions: 40 }),
          keymap.of([...completionKeymap, { key: 'Enter', run: (target) => (commit(target), true) }, ...defaultKeymap, ...historyKeymap]),
          history(), closeBrackets(), oneLine, EditorView.lineWrapping, hbg(), textTheme, fieldTheme,
          placeholder('gap <= 0, after 2 [s]'),
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) handed.current = null;
          }),
          EditorView.domEventHandlers({ blur: (_, target) => commit(target) }),
          access.current.of([]),
        ],
      }),
    });
    view.current = editor;
    if (hasFocus) editor.focus();
    return () => editor.destroy();
  }, [label, hasFocus]);

  // what the text says, unless somebody is typing here
  useEffect(() => {
    const editor = view.current;
    handed.current = null;
    if (!editor || editor.hasFocus || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({ effects: access.current.reconfigure([EditorState.readOnly.of(isReadOnly), EditorView.editable.of(!isReadOnly)]) });
  }, [isReadOnly, label]);

  return <div ref={holder} className="guard-field" />;
}
