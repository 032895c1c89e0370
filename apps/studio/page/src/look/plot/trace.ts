// SPDX-License-Identifier: BSD-3-Clause
// A curve as a line on paper: as many points as can be seen, of any number of rows, and at jumps the ends of the line with their marks.
// docs/decisions/0016-drawings.md tells the conventions: an open dot is the value that is left, a full one the value that is taken, a diamond
// a value that lasted an infinitesimal; jumps that are nearer to each other than the marks are wide become steep lines.
import { rowKinds, type Grid } from './grid';
import type { RecordedColumn } from './recording';
import { firstAbove, firstNotBelow } from './search';
import type { TimeMap } from './timeMap';

export type Mark = { sort: 'open' | 'full' | 'diamond' | 'mythical'; x: number; y: number };
export type Trace = {
  line: number[]; // x, y, x, y, ...; NaN lifts the pen
  jumps: number[]; // between the ends
  inferred: number[]; // values that were never real
  marks: Mark[];
};
export type Paper = { map: TimeMap; down: (value: number) => number; markSize: number };

const cell = 0.5; // pixels, of which no more than four points are kept
const mostPlain = 4; // rows of a cell that are drawn as they are

export const traceColumn = (column: RecordedColumn, paper: Paper): Trace => {
  const trace: Trace = { line: [], jumps: [], inferred: [], marks: [] };
  const { grid } = column;
  const { view } = paper.map;
  const count = Math.min(column.count, grid.count);
  if (count === 0) return trace;
  const begin = Math.max(firstNotBelow(grid.times, view.from, 0, count) - 1, 0);
  const end = Math.min(firstAbove(grid.times, view.to, 0, count) + 1, count);
  let row = begin;
  for (const jump of jumpsOf(column, paper)) {
    if (jump.first < row || jump.last >= end) continue;
    drawStretch(trace, column, paper, row, jump.first);
    if (jump.isOpened) drawSection(trace, column, paper);
    else drawJump(trace, column, paper, jump);
    row = jump.last;
  }
  drawStretch(trace, column, paper, row, end - 1);
  return trace;
};

// ---- jumps ----

type Jump = { first: number; last: number; group: number; isOpened: boolean };

const jumpsOf = (column: RecordedColumn, paper: Paper): Jump[] => {
  const { grid } = column;
  const { view, left, right } = paper.map;
  const { begin, end } = grid.groupsWithin(view.from, view.to);
  const opened = paper.map.section?.opened ?? null;
  const isCrowded = end - begin > (right - left) / paper.markSize;
  const jumps: Jump[] = [];
  for (let group = begin; group < end; group++) {
    const isOpened = opened !== null && grid.groupFirst[group] === opened.first && grid.times[opened.first] === opened.time;
    if (!isOpened && (isCrowded || !isApart(column, paper, group))) continue;
    const whole = { first: grid.groupFirst[group] as number, last: (grid.groupFirst[group] as number) + (grid.groupCount[group] as number) - 1 };
    jumps.push({ ...(isOpened ? whole : grid.realEnds(group)), group, isOpened });
  }
  return jumps.filter((jump, index) => jump.isOpened || hasRoom(grid, paper, jumps, index));
};

// Whether any two neighbouring values of the instant are apart on paper.
const isApart = (column: RecordedColumn, paper: Paper, group: number): boolean => {
  const { first, last } = column.grid.realEnds(group);
  let before = column.values[first] as number;
  for (let row = first + 1; row <= last; row++) {
    if (!column.grid.isReal(row)) continue;
    const value = column.values[row] as number;
    if (Math.abs(paper.down(value) - paper.down(before)) > 0.8 * paper.markSize) return true;
    before = value;
  }
  return false;
};

const hasRoom = (grid: Grid, paper: Paper, jumps: Jump[], index: number): boolean => {
  const placeOf = (at: number): number => {
    const jump = jumps[at];
    return jump === undefined ? NaN : paper.map.across(grid.times[jump.first] as number);
  };
  const least = 1.5 * paper.markSize;
  return !(placeOf(index) - placeOf(index - 1) < least) && !(placeOf(index + 1) - placeOf(index) < least);
};

const drawJump = (trace: Trace, column: RecordedColumn, paper: Paper, jump: Jump): void => {
  const { grid, values } = column;
  const x = paper.map.acrossBehind(grid.times[jump.first] as number);
  const last = values[jump.last] as number;
  trace.line.push(NaN, NaN);
  let before = values[jump.first] as number;
  addPoint(trace.jumps, x, paper.down(before));
  for (let row = jump.first + 1; row <= jump.last; row++) {
    if (!grid.isReal(row)) continue;
    const value = values[row] as number;
    addPoint(trace.jumps, x, paper.down(value));
    const isApartFrom = (other: number) => Math.abs(paper.down(value) - paper.down(other)) > 0.8 * paper.markSize;
    if (row < jump.last && isApartFrom(before) && isApartFrom(last)) addMark(trace, 'diamond', x, paper.down(value));
    before = value;
  }
  trace.jumps.push(NaN, NaN);
  addMark(trace, 'open', x, paper.down(values[jump.first] as number));
  addMark(trace, 'full', x, paper.down(last));
};

const addMark = (trace: Trace, sort: Mark['sort'], x: number, y: number): void => {
  if (Number.isFinite(y)) trace.marks.push({ sort, x, y });
};

// ---- the opened instant: a step for each of its rows ----

const drawSection = (trace: Trace, column: RecordedColumn, paper: Paper): void => {
  const section = paper.map.section;
  if (section === null) return;
  const { opened, band, left } = section;
  trace.line.push(NaN, NaN);
  let above = NaN; // where the value before it stands
  for (let index = 0; index < opened.count; index++) {
    const row = opened.first + index;
    const kind = column.grid.kinds?.[row] ?? (index === 0 ? rowKinds.before : index + 1 === opened.count ? rowKinds.continuous : rowKinds.pinnacle);
    const y = paper.down(column.values[row] as number);
    const [begin, end] = [left + index * band, left + (index + 1) * band];
    const isMythical = kind === rowKinds.mythical;
    const line = isMythical ? trace.inferred : trace.line;
    addPoint(line, begin, y);
    addPoint(line, end, y);
    line.push(NaN, NaN);
    if (Math.abs(y - above) > 0.5) trace.jumps.push(begin, above, begin, y, NaN, NaN);
    const sort = kind === rowKinds.before ? 'open' : isMythical ? 'mythical' : kind === rowKinds.pinnacle ? 'diamond' : 'full';
    addMark(trace, sort, begin + band / 2, y);
    above = y;
  }
};

// ---- what is continuous ----

// Rows `first` to `last`, both included, as one line.
const drawStretch = (trace: Trace, column: RecordedColumn, paper: Paper, first: number, last: number): void => {
  const { grid, values } = column;
  const { map, down } = paper;
  if (first > last) return;
  const isBehind = map.section !== null && (grid.times[first] as number) === map.section.opened.time && first > map.section.opened.first;
  const across = (row: number) => (isBehind && row === first ? map.acrossBehind(grid.times[row] as number) : map.across(grid.times[row] as number));
  const add = (row: number) => {
    if (grid.isReal(row)) addPoint(trace.line, across(row), down(values[row] as number));
  };
  const begin = addBorder(trace.line, column, paper, first, last, map.view.from);
  const lastInside = grid.times[last] as number > map.view.to ? last - 1 : last;
  for (let row = begin; row <= lastInside; ) {
    const next = endOfCell(grid, map, across(row), row, lastInside + 1);
    if (next - row <= mostPlain) for (let each = row; each < next; each++) add(each);
    else {
      const { lowest, highest } = column.pyramid.extremes(row, next);
      add(row);
      for (const extreme of [Math.min(lowest, highest), Math.max(lowest, highest)]) if (extreme > row && extreme < next - 1) add(extreme);
      add(next - 1);
    }
    row = next;
  }
  if (lastInside < last) addBorder(trace.line, column, paper, lastInside, last, map.view.to);
};

// The row behind those that fall into the same cell as `row`.
const endOfCell = (grid: Grid, map: TimeMap, x: number, row: number, end: number): number => {
  const border = map.at((Math.floor(x / cell) + 1) * cell).time;
  let step = 1;
  while (row + step < end && (grid.times[row + step] as number) < border) step *= 2;
  return firstNotBelow(grid.times, border, Math.min(row + Math.max(step >> 1, 1), end), Math.min(row + step, end));
};

// Where the line crosses the border of the view between two rows, so that no point lies far outside. The first row inside.
const addBorder = (line: number[], column: RecordedColumn, paper: Paper, first: number, last: number, border: number): number => {
  const { times } = column.grid;
  const begin = times[first] as number;
  if (first >= last || (border === paper.map.view.from && begin >= border)) return first;
  const end = times[first + 1] as number;
  if (end <= begin) return first + 1;
  const share = (border - begin) / (end - begin);
  const value = (1 - share) * (column.values[first] as number) + share * (column.values[first + 1] as number);
  addPoint(line, paper.map.acrossBehind(border), paper.down(value));
  return first + 1;
};

const addPoint = (line: number[], x: number, y: number): void => {
  if (Number.isFinite(y)) line.push(x, y);
  else line.push(NaN, NaN);
};
