// SPDX-License-Identifier: BSD-3-Clause
// What a pane of plots shows, as shapes: curves, their axis, the opened instant behind them.
import type { Column, RunInfo } from '../../protocol';
import type { Pane } from '../../store';
import { columnOf } from '../columns';
import { unitText } from '../number';
import { rowKinds } from './grid';
import type { Recording, RecordedColumn } from './recording';
import { firstAbove, firstNotBelow } from './search';
import type { Colour, Shape } from './shapes';
import { ticksOf, type Ticks } from './ticks';
import type { TimeMap } from './timeMap';
import { traceColumn } from './trace';

export const markSize = 7;
export const textSize = 11;

export type ShownRun = { info: RunInfo; recording: Recording; isCurrent: boolean };
export type Style = { colour: Colour; dash: number[] | undefined };
export type ShownCurve = { name: string; column: Column; run: ShownRun; recorded: RecordedColumn; style: Style };
export type Range = { least: number; greatest: number };

const colourCount = 8;
const dashes: (number[] | undefined)[] = [undefined, [7, 4], [2, 3], [9, 3, 2, 3], [4, 3], [12, 4]];
export const colourOf = (index: number): Colour => `--curve-${(index % colourCount) + 1}`;
export const dashOf = (index: number): number[] | undefined => dashes[index % dashes.length];

// The dash tells the run and the colour the column; the colour tells the run where no pane has two columns.
export const styleOf = (column: number, run: number, isColouredByRun: boolean): Style =>
  ({ colour: colourOf(isColouredByRun ? run : column), dash: dashOf(run) });

export const isColouredByRun = (panes: Pane[], runs: ShownRun[]): boolean => runs.length > 1 && panes.every((pane) => pane.curves.length < 2);

// Those of the current run come last, and lie upon the others.
export const curvesOf = (pane: Pane, runs: ShownRun[], byRun: boolean): ShownCurve[] => {
  const curves: ShownCurve[] = [];
  for (const [runIndex, run] of runs.entries())
    for (const [index, { column: name }] of pane.curves.entries()) {
      const column = columnOf(run.info, name);
      const recorded = run.recording.columns.get(name);
      if (column !== undefined && recorded !== undefined) curves.push({ name, column, run, recorded, style: styleOf(index, runIndex, byRun) });
    }
  return curves.sort((a, b) => Number(a.run.isCurrent) - Number(b.run.isCurrent));
};

// Of all that is seen, with some room; a flat curve lies in the middle.
export const rangeOf = (curves: ShownCurve[], map: TimeMap): Range => {
  let [least, greatest] = [Infinity, -Infinity];
  const take = (value: number | undefined) => {
    if (value === undefined || !Number.isFinite(value)) return;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  };
  for (const { recorded, run } of curves) {
    const { grid, pyramid, values } = recorded;
    const count = Math.min(grid.count, recorded.count);
    const begin = Math.max(firstNotBelow(grid.times, map.view.from, 0, count) - 1, 0);
    const extremes = pyramid.extremes(begin, Math.min(firstAbove(grid.times, map.view.to, 0, count) + 1, count));
    take(values[extremes.lowest]);
    take(values[extremes.highest]);
    const opened = map.section?.opened;
    if (opened && run.isCurrent) for (let row = opened.first; row < opened.first + opened.count && row < count; row++) take(values[row]);
  }
  if (least > greatest) return { least: 0, greatest: 1 };
  const size = greatest - least || Math.max(Math.abs(greatest), Math.abs(least)) * 0.5 || 1;
  const isFlat = greatest - least < size * 1e-9;
  const room = isFlat ? size : 0.07 * size;
  return { least: least - room, greatest: greatest + room };
};

export type PanePicture = { curves: ShownCurve[]; range: Range; ticks: Ticks; caption: string; below: Shape[]; above: Shape[] };

// The picture of a pane whose paper reaches from `top` to `bottom`.
export const panePicture = (curves: ShownCurve[], map: TimeMap, top: number, bottom: number): PanePicture => {
  const range = rangeOf(curves, map);
  const down = (value: number) => bottom - ((value - range.least) / (range.greatest - range.least)) * (bottom - top);
  const ticks = ticksOf(range.least, range.greatest, Math.max(Math.floor((bottom - top) / 22), 2));
  const above: Shape[] = [];
  for (const { recorded, style, run } of curves) {
    const ofCurrent = run.isCurrent ? map : closed(map);
    const trace = traceColumn(recorded, { map: ofCurrent, down, markSize });
    const width = run.isCurrent ? 1.8 : 1.4;
    above.push({ kind: 'line', points: trace.jumps, colour: style.colour, width: 1, dash: [1.5, 2.5] });
    above.push({ kind: 'line', points: trace.inferred, colour: style.colour, width: 1.2, dash: [3, 3], opacity: 0.8 });
    above.push({ kind: 'line', points: trace.line, colour: style.colour, width, dash: style.dash });
    for (const mark of trace.marks) above.push({ kind: 'mark', ...mark, size: markSize, colour: style.colour });
  }
  const clip: Shape = { kind: 'clip', x: map.left, y: top - 2, width: map.right - map.left + markSize, height: bottom - top + 4, shapes: above };
  const units = [...new Set(curves.map((curve) => curve.column.unit).filter((unit) => unit !== ''))].map(unitText).join(', ');
  return { curves, range, ticks, caption: [ticks.factor, units].filter((part) => part !== '').join(' '), below: sectionShapes(curves, map, top, bottom), above: [clip] };
};

// Runs beside the current one have no rows in its instant: their lines cross the section.
const closed = (map: TimeMap): TimeMap => (map.section === null ? map : Object.assign(Object.create(map) as TimeMap, { section: { ...map.section, opened: { ...map.section.opened, first: -1 } } }));

// The opened instant behind the curves: what was inferred is hatched, what lasted an infinitesimal has a tint.
const sectionShapes = (curves: ShownCurve[], map: TimeMap, top: number, bottom: number): Shape[] => {
  const grid = curves.find((curve) => curve.run.isCurrent)?.recorded.grid;
  return map.section === null ? [] : sectionBands(map, (row) => grid?.kinds?.[row] ?? rowKinds.continuous, top, bottom);
};

export const sectionBands = (map: TimeMap, kindOf: (row: number) => number, top: number, bottom: number): Shape[] => {
  if (map.section === null) return [];
  const { left, right, band, opened } = map.section;
  const shapes: Shape[] = [{ kind: 'box', x: left, y: top, width: right - left, height: bottom - top, fill: '--surface' }];
  for (let index = 0; index < opened.count; index++) {
    const box = { kind: 'box' as const, x: left + index * band, y: top, width: band, height: bottom - top };
    const kind = kindOf(opened.first + index);
    if (kind === rowKinds.mythical) shapes.push({ ...box, fill: '--line-strong', opacity: 0.6, hatch: true });
    if (kind === rowKinds.pinnacle) shapes.push({ ...box, fill: '--flash', opacity: 0.13 });
    if (index > 0) shapes.push({ kind: 'line', points: [box.x, top, box.x, bottom], colour: '--line', width: 1 });
  }
  for (const x of [left, right]) shapes.push({ kind: 'line', points: [x, top, x, bottom], colour: '--line-strong', width: 1 });
  return shapes;
};

// ---- the time axis ----

export const timeTicks = (map: TimeMap): { ticks: Ticks; places: number[] } => {
  const width = map.right - map.left - (map.section === null ? 0 : map.section.right - map.section.left);
  const ticks = ticksOf(map.view.from, map.view.to, Math.max(Math.floor(width / 90), 2));
  return { ticks, places: ticks.places.map((place) => map.across(place)) };
};

// Ticks with their numbers below `top`, and a thin mark for each event.
export const timeAxisShapes = (map: TimeMap, top: number, eventTimes: number[], stamps: string[] = []): Shape[] => {
  const { ticks, places } = timeTicks(map);
  const shapes: Shape[] = [{ kind: 'line', points: [map.left, top + 0.5, map.right, top + 0.5], colour: '--line-strong', width: 1 }];
  const inSection = (x: number) => map.section !== null && x > map.section.left - 24 && x < map.section.right + 24;
  for (const [index, x] of places.entries()) {
    shapes.push({ kind: 'line', points: [x, top, x, top + 4], colour: '--line-strong', width: 1 });
    if (!inSection(x)) shapes.push({ kind: 'words', x, y: top + 16, text: ticks.texts[index] ?? '', size: textSize, anchor: 'middle', colour: '--text-soft' });
  }
  shapes.push(...stampShapes(map, top, stamps), ...eventMarks(map, top, eventTimes));
  return shapes;
};

// Below the bands of the opened instant: where in hyperdense time each is.
const stampShapes = (map: TimeMap, top: number, stamps: string[]): Shape[] => {
  const { section } = map;
  if (section === null || section.band < 40) return [];
  return stamps.map((text, index) => ({ kind: 'words', x: section.left + (index + 0.5) * section.band, y: top + 16, text, size: textSize, anchor: 'middle', colour: '--text' }));
};

// Marks that would fall upon each other are drawn once.
const eventMarks = (map: TimeMap, top: number, times: number[]): Shape[] => {
  const points: number[] = [];
  let last = -Infinity;
  for (const time of times) {
    const x = Math.round(map.across(time) * 2) / 2;
    if (x - last < 1 || x < map.left - 1 || x > map.right + 1) continue;
    points.push(x, top - 5, x, top + 1, NaN, NaN);
    last = x;
  }
  return points.length === 0 ? [] : [{ kind: 'line', points, colour: '--derivative', width: 1.5 }];
};

// What a file needs and the screen has otherwise: the axis of a pane, its grid, the legend.
export const paneFrameShapes = (picture: PanePicture, map: TimeMap, top: number, bottom: number): Shape[] => {
  const { range, ticks } = picture;
  const down = (value: number) => bottom - ((value - range.least) / (range.greatest - range.least)) * (bottom - top);
  const shapes: Shape[] = [];
  for (const x of timeTicks(map).places) shapes.push({ kind: 'line', points: [x, top, x, bottom], colour: '--grid', width: 1 });
  for (const [index, place] of ticks.places.entries()) {
    const y = down(place);
    shapes.push({ kind: 'line', points: [map.left, y, map.right, y], colour: '--grid', width: 1 });
    shapes.push({ kind: 'words', x: map.left - 8, y: y + 4, text: ticks.texts[index] ?? '', size: textSize, anchor: 'end', colour: '--text-soft' });
  }
  shapes.push({ kind: 'line', points: [map.left, top, map.left, bottom, map.right, bottom, map.right, top, map.left, top], colour: '--line-strong', width: 1 });
  return shapes;
};
