// SPDX-License-Identifier: BSD-3-Clause
// What the text is edited with.
import { acceptCompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import {
  EditorView, crosshairCursor, drawSelection, dropCursor, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, rectangularSelection,
} from '@codemirror/view';
import { asking, goToDefinition } from './asking';
import { marks } from './following';
import type { TextHost } from './host';
import { hbg } from './language';
import { problemMarks } from './problems';
import { beginRename, renaming } from './rename';
import { textTheme } from './theme';

export const textExtensions = (host: TextHost): Extension => [
  keymap.of([
    { key: 'F2', run: (view) => beginRename(host, view) },
    { key: 'F12', run: (view) => (void goToDefinition(host, view.state.selection.main.head), true) },
    { key: 'Shift-Alt-f', run: () => (void format(host), true) },
    { key: 'Mod-s', run: () => (host.save(), true), preventDefault: true },
    { key: 'Tab', run: acceptCompletion },
  ]),
  lineNumbers(),
  foldGutter({ markerDOM: foldMarker }),
  codeFolding(),
  problemMarks(),
  drawSelection(),
  dropCursor(),
  rectangularSelection(),
  crosshairCursor(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  bracketMatching(),
  closeBrackets(),
  indentOnInput(),
  search({ top: true }),
  EditorState.allowMultipleSelections.of(true),
  hbg(),
  asking(host),
  renaming(host),
  marks,
  textTheme,
  EditorView.contentAttributes.of({ 'aria-label': 'Text of the model', spellcheck: 'false' }),
  EditorView.updateListener.of((update) => {
    const isMoved = update.selectionSet && !update.docChanged && update.transactions.some((transaction) => transaction.isUserEvent('select'));
    if (isMoved) host.pick(update.state.selection.main.head);
  }),
  keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
];

export async function format(host: TextHost): Promise<void> {
  const result = await host.edit([{ op: 'format' }]);
  if (result.reason) host.warn(result.reason);
}

function foldMarker(isOpen: boolean): HTMLElement {
  const marker = document.createElement('span');
  marker.className = isOpen ? 'fold-marker' : 'fold-marker is-folded';
  marker.title = isOpen ? 'Fold' : 'Unfold';
  return marker;
}
