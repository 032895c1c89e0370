// SPDX-License-Identifier: BSD-3-Clause
// F2: a field at the name under the caret; Enter renames it wherever it is read.
import { StateEffect, StateField } from '@codemirror/state';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView, showTooltip } from '@codemirror/view';
import type { Tooltip } from '@codemirror/view';
import type { TextHost } from './host';

type Name = { from: number; to: number; text: string };
const ask = StateEffect.define<Name | null>();

export function nameAt(state: EditorState, at: number): Name | null {
  const line = state.doc.lineAt(at);
  for (const match of line.text.matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)) {
    const from = line.from + match.index;
    if (from <= at && at <= from + match[0].length) return { from, to: from + match[0].length, text: match[0] };
  }
  return null;
}

export function beginRename(host: TextHost, view: EditorView): boolean {
  const name = nameAt(view.state, view.state.selection.main.head);
  if (!name || view.state.readOnly) host.warn(name ? 'This text is read only.' : 'Put the caret into the name that is to be changed.');
  else view.dispatch({ effects: ask.of(name) });
  return true;
}

export const renaming = (host: TextHost): Extension =>
  StateField.define<Tooltip | null>({
    create: () => null,
    update: (value, transaction) => {
      for (const effect of transaction.effects) if (effect.is(ask)) return effect.value && fieldAt(host, effect.value);
      return transaction.docChanged ? null : value;
    },
    provide: (field) => showTooltip.from(field),
  });

const fieldAt = (host: TextHost, name: Name): Tooltip => ({
  pos: name.from,
  end: name.to,
  above: false,
  create: (view) => {
    const dom = document.createElement('div');
    dom.className = 'rename-field';
    const input = dom.appendChild(document.createElement('input'));
    input.value = name.text;
    input.setAttribute('aria-label', `New name of ${name.text}`);
    const reason = dom.appendChild(document.createElement('p'));
    reason.setAttribute('role', 'alert');
    const close = () => {
      view.dispatch({ effects: ask.of(null) });
      view.focus();
    };
    input.onkeydown = (event) => {
      event.stopPropagation();
      if (event.key === 'Escape') close();
      if (event.key !== 'Enter') return;
      const wish = input.value.trim();
      if (wish === name.text || !wish) return close();
      void host.edit([{ op: 'rename', at: name.from, name: wish }]).then((result) => {
        if (result.reason) reason.textContent = result.reason;
        else close();
      });
    };
    return { dom, mount: () => { input.focus(); input.select(); } };
  },
});
