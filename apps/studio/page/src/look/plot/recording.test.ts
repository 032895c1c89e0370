// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { rowKinds } from './grid';
import { Recording } from './recording';

const samples = (first: number, times: number[], ...columns: number[][]) => ({
  first, rows: times.length, isReduced: false, times: Float64Array.from(times), columns: columns.map((column) => Float64Array.from(column)),
});

describe('a recording', () => {
  it('grows while the run goes on, and takes no row twice', () => {
    const recording = new Recording();
    expect(recording.take(samples(0, [0, 1, 2], [5, 6, 7]), ['a'], null)).toBe(true);
    expect(recording.take(samples(2, [2, 3], [7, 8]), ['a'], null)).toBe(true);
    expect(recording.grid.count).toBe(4);
    expect([...(recording.columns.get('a')?.values.subarray(0, 4) ?? [])]).toEqual([5, 6, 7, 8]);
  });
  it('takes a column that is wanted later', () => {
    const recording = new Recording();
    recording.take(samples(0, [0, 1], [5, 6]), ['a'], null);
    expect(recording.take(samples(0, [0, 1, 2], [1, 2, 3]), ['b'], null)).toBe(true);
    expect([recording.grid.count, recording.countOf('a'), recording.countOf('b')]).toEqual([3, 2, 3]);
  });
  it('refuses rows that leave a gap', () => {
    expect(new Recording().take(samples(3, [1], [2]), ['a'], null)).toBe(false);
  });
  it('finds the rows of one time, also across two answers', () => {
    const recording = new Recording();
    recording.take(samples(0, [0, 1, 1], [0, 0, 1]), ['a'], null);
    recording.take(samples(3, [1, 2], [2, 2]), ['a'], null);
    expect(recording.grid.groupFirst).toEqual([1]);
    expect(recording.grid.groupCount).toEqual([3]);
    expect(recording.grid.groupsWithin(0.5, 1.5)).toEqual({ begin: 0, end: 1 });
    expect(recording.grid.groupsWithin(1.5, 2)).toEqual({ begin: 1, end: 1 });
  });
  it('knows what was mere inference', () => {
    const recording = new Recording();
    const kinds = Float64Array.from([rowKinds.sample, rowKinds.before, rowKinds.mythical, rowKinds.continuous]);
    recording.take(samples(0, [0, 1, 1, 1], [0, 0, 9, 1]), ['a'], kinds);
    const column = recording.columns.get('a');
    expect(column?.pyramid.extremes(0, 4)).toEqual({ lowest: 0, highest: 3 });
    expect([...(column?.changes ?? [])]).toEqual([0, 3]);
    expect(recording.grid.realEnds(0)).toEqual({ first: 1, last: 3 });
  });
  it('finds the last row that is not behind a time', () => {
    const recording = new Recording();
    recording.take(samples(0, [0, 1, 1, 2], [0, 0, 0, 0]), ['a'], null);
    expect([-1, 0.5, 1, 5].map((time) => recording.grid.rowAt(time))).toEqual([-1, 0, 2, 3]);
  });
});
