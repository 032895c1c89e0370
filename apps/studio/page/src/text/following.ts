// SPDX-License-Identifier: BSD-3-Clause
// Drawing and text follow each other: what is selected is marked in the text, and the caret selects what it stands in.
import { RangeSet, StateEffect, StateField } from '@codemirror/state';
import type { Extension, Text } from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';
import type { DecorationSet } from '@codemirror/view';
import type { Diagram } from '../protocol';
import { bondKey } from '../store';
import type { Selection } from '../store';

type Range = { from: number; to: number };
type Place = (at: number, side?: number) => number;
const mark = StateEffect.define<readonly Range[]>();
const marked = Decoration.mark({ class: 'cm-selected-symbol' });

export const marks: Extension = StateField.define<DecorationSet>({
  create: () => RangeSet.empty,
  update: (value, transaction) => {
    for (const effect of transaction.effects)
      if (effect.is(mark)) return RangeSet.of(effect.value.filter((range) => range.from < range.to).map((range) => marked.range(range.from, range.to)), true);
    return value.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const markRanges = (ranges: readonly Range[]) => mark.of(ranges);

// Where the selected symbols and bonds stand in this text.
export function rangesOf(diagram: Diagram, selection: Selection, place: Place): Range[] {
  const symbols = new Set(selection.symbols);
  const bonds = new Set(selection.bonds);
  const ranges: Range[] = [];
  for (const symbol of diagram.symbols) if (symbol.file === '' && symbols.has(symbol.name)) ranges.push(symbol);
  for (const bond of diagram.bonds) if (bond.file === '' && bonds.has(bondKey(bond))) ranges.push(bond);
  return ranges.map(({ from, to }) => ({ from: place(from), to: place(to, -1) })).sort((a, b) => a.from - b.from);
}

// What the caret stands in: a name that is declared, the arrow of a bond, or else the only declarations of its line. null: none of them.
export function atCaret(diagram: Diagram, text: Text, caret: number, place: Place): Selection | null {
  const touches = ({ from, to }: Range) => place(from) <= caret && caret <= place(to, -1);
  const here = diagram.symbols.filter((symbol) => symbol.file === '');
  const named = here.filter(touches);
  if (named.length > 0) return { symbols: named.map((symbol) => symbol.name), bonds: [] };
  const bonds = diagram.bonds.filter((bond) => bond.file === '' && touches(bond));
  if (bonds.length > 0) return { symbols: [], bonds: bonds.map(bondKey) };
  const line = text.lineAt(Math.min(caret, text.length));
  const before = here.filter(({ from }) => place(from) >= line.from && place(from) <= caret);
  const last = Math.max(...before.map(({ from }) => from));
  const nearest = before.filter(({ from }) => from === last);
  return nearest.length > 0 ? { symbols: nearest.map((symbol) => symbol.name), bonds: [] } : null;
}
