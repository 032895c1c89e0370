// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import type { Column } from '../../protocol';
import { laneShapes, shadeOf, spansOf, stateText } from './lanes';
import { Recording, type RecordedColumn } from './recording';
import { TimeMap } from './timeMap';

const recorded = (times: number[], values: number[]): RecordedColumn => {
  const recording = new Recording();
  recording.take({ first: 0, rows: times.length, isReduced: false, times: Float64Array.from(times), columns: [Float64Array.from(values)] }, ['a'], null);
  return recording.columns.get('a') as RecordedColumn;
};
const junction: Column = { name: 'F13', unit: '', kind: 'junction', states: [], group: 'junction' };
const machine: Column = { ...junction, kind: 'machine', states: ['free', 'touching'] };

describe('a lane', () => {
  const map = new TimeMap({ from: 0, to: 1 }, 0, 100);
  it('has a stretch for each state', () => {
    expect(spansOf(recorded([0, 0.2, 0.2, 1], [1, 1, 0, 0]), map)).toEqual([
      { begin: 0, end: 20, value: 1, isMythical: false }, { begin: 20, end: 100, value: 0, isMythical: false },
    ]);
  });
  it('ends where the run has come to', () => {
    expect(spansOf(recorded([0, 0.5], [1, 1]), map)).toEqual([{ begin: 0, end: 50, value: 1, isMythical: false }]);
  });
  it('knows the state at the left border of the view', () => {
    const zoomed = new TimeMap({ from: 0.5, to: 0.6 }, 0, 100);
    expect(spansOf(recorded([0, 0.2, 0.2, 1], [0, 0, 1, 1]), zoomed)[0]).toMatchObject({ begin: 0, value: 1 });
  });
  it('shows something that was on for no time at all as a hair', () => {
    const shapes = laneShapes(recorded([0, 0.2, 0.2, 0.2, 1], [0, 0, 1, 0, 0]), junction, map, 0, 10);
    expect(shapes.filter((shape) => shape.kind === 'box')).toHaveLength(2);
  });
  it('has a stretch for each row of an opened instant', () => {
    const opened = new TimeMap({ from: 0, to: 1 }, 0, 1000, { time: 0.2, first: 1, count: 3 });
    const spans = spansOf(recorded([0, 0.2, 0.2, 0.2, 1], [0, 0, 1, 0, 0]), opened);
    expect(spans.map((span) => span.value)).toEqual([0, 0, 1, 0, 0]);
  });
  it('of nothing is nothing', () => {
    expect(spansOf(recorded([], []), map)).toEqual([]);
  });
});

describe('what is switched', () => {
  it('has a shade and a word', () => {
    expect([0, 1, 0.3].map((value) => stateText(junction, value))).toEqual(['off', 'on', 'sliding']);
    expect([0, 1, 2].map((value) => stateText(machine, value))).toEqual(['free', 'touching', 'sliding']);
    expect(shadeOf(junction, 1)).toBe(1);
  });
});
