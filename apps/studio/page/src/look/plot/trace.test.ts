// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { rowKinds } from './grid';
import { Recording, type RecordedColumn } from './recording';
import { TimeMap, type Opened, type View } from './timeMap';
import { traceColumn, type Paper } from './trace';

const columnOf = (times: ArrayLike<number>, values: ArrayLike<number>, kinds: number[] | null = null): RecordedColumn => {
  const recording = new Recording();
  recording.take(
    { first: 0, rows: times.length, isReduced: false, times: times instanceof Float64Array ? times : Float64Array.from(times), columns: [values instanceof Float64Array ? values : Float64Array.from(values)] },
    ['a'], kinds === null ? null : Float64Array.from(kinds),
  );
  return recording.columns.get('a') as RecordedColumn;
};
const paperOf = (view: View, opened: Opened | null = null): Paper => ({ map: new TimeMap(view, 0, 1000, opened), down: (value) => 100 - 100 * value, markSize: 6 });
const pointsOf = (line: number[]) => Array.from({ length: line.length / 2 }, (_, index) => [line[2 * index] as number, line[2 * index + 1] as number]);

// the momentum of body 1 of the cradle, where the contact breaks (seed 003, Table 2)
const { sample, before, mythical, pinnacle, continuous } = rowKinds;
const cradle = columnOf([0, 0.2, 0.2, 0.2, 0.2, 1], [1, 1, -0.2, 0.1, 0.1, 0.1], [sample, before, mythical, pinnacle, continuous, sample]);

describe('a curve on paper', () => {
  it('ends where it jumps, and begins anew', () => {
    const trace = traceColumn(cradle, paperOf({ from: 0, to: 1 }));
    expect(pointsOf(trace.line)).toEqual([[0, 0], [200, 0], [NaN, NaN], [200, 90], [1000, 90]]);
    expect(trace.marks.map((mark) => mark.sort)).toEqual(['open', 'full']);
    expect(trace.marks[0]).toMatchObject({ x: 200, y: 0 });
    expect(trace.marks[1]).toMatchObject({ x: 200, y: 90 });
  });
  it('does not show what was never real', () => {
    const trace = traceColumn(cradle, paperOf({ from: 0, to: 1 }));
    expect([...trace.line, ...trace.jumps].some((place) => place > 101 && place < 199)).toBe(false);
    expect(trace.inferred).toEqual([]);
  });
  it('marks what lasted an infinitesimal with a diamond', () => {
    const column = columnOf([0, 1, 1, 1, 2], [0, 0, 1, 0.5, 0.5], [sample, before, pinnacle, continuous, sample]);
    expect(traceColumn(column, paperOf({ from: 0, to: 2 })).marks.map((mark) => mark.sort)).toEqual(['diamond', 'open', 'full']);
  });
  it('shows each row of an opened instant as a step, inferences apart', () => {
    const paper = paperOf({ from: 0, to: 1 }, { time: 0.2, first: 1, count: 4 });
    const trace = traceColumn(cradle, paper);
    const left = paper.map.section?.left as number;
    expect(trace.marks.map((mark) => mark.sort)).toEqual(['open', 'mythical', 'diamond', 'full']);
    expect(pointsOf(trace.inferred)[0]).toEqual([left + 120, 120]);
    expect(pointsOf(trace.line)).toContainEqual([paper.map.section?.right, 90]);
    expect(pointsOf(trace.line).at(-1)).toEqual([1000, 90]);
  });
  it('becomes steep lines where jumps are too near to each other', () => {
    const times = Array.from({ length: 2000 }, (_, row) => Math.floor(row / 2) / 1000);
    const column = columnOf(times, times.map((_, row) => row % 2));
    const trace = traceColumn(column, paperOf({ from: 0, to: 1 }));
    expect(trace.marks).toEqual([]);
    expect(Math.min(...trace.line)).toBe(0);
  });
  it('lifts the pen where there is no number', () => {
    const trace = traceColumn(columnOf([0, 1, 2], [0, NaN, 1]), paperOf({ from: 0, to: 2 }));
    expect(pointsOf(trace.line)).toEqual([[0, 100], [NaN, NaN], [1000, 0]]);
  });
  it('ends at the border of the view, not far outside', () => {
    const trace = traceColumn(columnOf([0, 1, 2, 3], [0, 1, 0, 1]), paperOf({ from: 0.5, to: 2.5 }));
    expect(pointsOf(trace.line)).toEqual([[0, 50], [250, 0], [750, 100], [1000, 50]]);
    const between = traceColumn(columnOf([0, 10], [0, 1]), paperOf({ from: 2, to: 3 }));
    expect(pointsOf(between.line)).toEqual([[0, 80], [1000, 70]]);
  });
  it('of a million rows has a few thousand points, and loses no extreme', () => {
    const count = 1_000_000;
    const [times, values] = [new Float64Array(count), new Float64Array(count)];
    for (let row = 0; row < count; row++) {
      times[row] = row / count;
      values[row] = 0.5 + 0.4 * Math.sin((40 * row) / count);
    }
    values[654_321] = 3;
    values[222_222] = -2;
    const column = columnOf(times, values);
    const trace = traceColumn(column, paperOf({ from: 0, to: 1 }));
    expect(trace.line.length / 2).toBeLessThan(8100);
    expect(trace.line).toContain(-200);
    expect(trace.line).toContain(300);
    const places = pointsOf(trace.line).map(([x]) => x as number);
    expect(places.every((place, index) => index === 0 || place >= (places[index - 1] as number))).toBe(true);
  }, 30_000);
  it('of nothing is nothing', () => {
    expect(traceColumn(columnOf([], []), paperOf({ from: 0, to: 1 })).line).toEqual([]);
  });
});
