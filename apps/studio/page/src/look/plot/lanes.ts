// SPDX-License-Identifier: BSD-3-Clause
// Lanes: what is switched, shaded while it is on, with the names of the states where they fit. Where it switches too often to be seen, the shade
// tells for which part of the time it is on.
import type { Column } from '../../protocol';
import { rowKinds } from './grid';
import type { RecordedColumn } from './recording';
import { firstAbove } from './search';
import { wordsWidth, type Colour, type Shape } from './shapes';
import type { TimeMap } from './timeMap';

const leastWidth = 2; // of a span that is shown as it is
const cellWidth = 3; // in which what is too narrow is summed up
const hair = 1.2;
const wordSize = 10.5;
const mostSpans = 20_000; // that are looked at one by one

export type Span = { begin: number; end: number; value: number; isMythical: boolean }; // pixels

// The stretches of one value within the view; an opened instant has one for each of its rows.
export const spansOf = (column: RecordedColumn, map: TimeMap): Span[] => {
  const { grid, changes, values } = column;
  const spans: Span[] = [];
  const add = (begin: number, end: number, value: number, isMythical = false) => {
    const [left, right] = [Math.max(begin, map.left), Math.min(end, map.right)];
    if (right >= left && Number.isFinite(value)) spans.push({ begin: left, end: right, value, isMythical });
  };
  if (column.count === 0) return spans;
  const valueAt = (row: number) => values[changes[Math.max(firstAbove(changes, row, 0, changes.length) - 1, 0)] as number] as number;
  const stretch = (from: number, to: number, begin: number, end: number) => {
    let index = Math.max(firstAbove(changes, from, 0, changes.length), 0);
    const last = firstAbove(changes, to, 0, changes.length);
    const step = Math.max(1, Math.floor((last - index) / mostSpans)); // so many that nobody sees a difference
    let x = begin;
    let value = valueAt(from);
    for (; index < last; index += step) {
      const row = changes[index] as number;
      const next = map.acrossBehind(grid.times[row] as number);
      add(x, next, value);
      x = next;
      value = values[row] as number;
    }
    add(x, end, value);
  };
  const firstRow = Math.max(grid.rowAt(map.view.from), 0);
  const lastRow = Math.min(Math.max(grid.rowAt(map.view.to), 0), column.count - 1);
  const lastTime = grid.times[column.count - 1] as number;
  const right = Math.min(map.right, map.acrossBehind(lastTime));
  const section = map.section;
  if (section === null || grid.times[section.opened.first] !== section.opened.time) {
    stretch(firstRow, lastRow, map.left, right);
    return spans;
  }
  const { first, count } = section.opened;
  stretch(Math.min(firstRow, first), first, map.left, section.left);
  for (let index = 0; index < count; index++)
    add(section.left + index * section.band, section.left + (index + 1) * section.band, values[first + index] as number, grid.kinds?.[first + index] === rowKinds.mythical);
  stretch(first + count - 1, Math.max(lastRow, first + count - 1), section.right, right);
  return spans;
};

// How strongly a value is shaded: on fully, off not, what slides by its share; the states of a machine take turns, only to be told apart.
const turns = [0, 0.7, 0.35, 1];
export const shadeOf = (column: Column, value: number): number =>
  column.kind === 'machine' ? (turns[Math.abs(Math.round(value)) % turns.length] as number) : Math.min(Math.max(value, 0), 1);

export const stateText = (column: Column, value: number): string => {
  if (column.kind === 'machine') return column.states[Math.round(value)] ?? 'sliding';
  if (value > 0 && value < 1) return 'sliding';
  return column.kind === 'boolean' ? (value > 0 ? 'true' : 'false') : value > 0 ? 'on' : 'off';
};

export const laneColour = (column: Column): Colour => (column.kind === 'junction' ? '--on' : column.kind === 'machine' ? '--signal' : '--label');

// One lane at `top`, `height` high.
export const laneShapes = (recorded: RecordedColumn, column: Column, map: TimeMap, top: number, height: number): Shape[] => {
  const fill = laneColour(column);
  const shapes: Shape[] = [{ kind: 'box', x: map.left, y: top, width: map.right - map.left, height, fill: '--off-soft' }];
  const cells = new Map<number, { begin: number; end: number; on: number }>();
  for (const span of spansOf(recorded, map)) {
    const shade = shadeOf(column, span.value);
    const width = span.end - span.begin;
    if (width < leastWidth) {
      const cell = cells.get(Math.floor(span.begin / cellWidth)) ?? { begin: span.begin, end: span.end, on: 0 };
      cells.set(Math.floor(span.begin / cellWidth), { begin: cell.begin, end: Math.max(cell.end, span.end), on: cell.on + shade * width + (shade > 0 ? 1e-9 : 0) });
      continue;
    }
    const opacity = column.kind === 'machine' ? 0.1 + 0.32 * shade : 0.38 * shade;
    if (shade > 0 || column.kind === 'machine') shapes.push({ kind: 'box', x: span.begin, y: top, width, height, fill, opacity });
    if (span.isMythical) shapes.push({ kind: 'box', x: span.begin, y: top, width, height, fill: '--text-faint', opacity: 0.5, hatch: true });
    const text = stateText(column, span.value);
    const isTold = map.section !== null && Math.abs(width - map.section.band) < 0.01;
    if ((shade > 0 || column.kind === 'machine' || isTold) && wordsWidth(text, wordSize) + 8 < width)
      shapes.push({ kind: 'words', x: (span.begin + span.end) / 2, y: top + height / 2 + 0.36 * wordSize, text, size: wordSize, anchor: 'middle', colour: shade > 0 || column.kind === 'machine' ? '--text' : '--text-faint' });
  }
  for (const cell of cells.values()) {
    if (cell.on === 0) continue;
    const width = Math.max(cell.end - cell.begin, hair);
    const share = Math.min(Math.max(cell.on / width, 0.3), 1);
    shapes.push({ kind: 'box', x: Math.min(cell.begin, map.right - hair), y: top, width, height, fill, opacity: width <= 2 * hair ? 1 : 0.5 * share });
  }
  return shapes;
};
