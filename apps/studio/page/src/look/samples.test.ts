// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { readSamples } from './samples';

describe('the bytes of samples', () => {
  it('give the times and each column', () => {
    const samples = readSamples(new Float64Array([2, 2, 7, 0, 0.1, 0.2, 1, 2, 3, 4]).buffer, 2);
    expect(samples.first).toBe(7);
    expect([...samples.times]).toEqual([0.1, 0.2]);
    expect(samples.columns.map((column) => [...column])).toEqual([[1, 2], [3, 4]]);
  });
  it('may hold no rows', () => {
    expect(readSamples(new Float64Array([0, 1, 0, 0]).buffer, 1).rows).toBe(0);
  });
  it('are refused when they are cut off, or nonsense', () => {
    expect(() => readSamples(new Float64Array([3, 1, 0, 0, 1, 2, 3]).buffer, 1)).toThrow('cut off');
    expect(() => readSamples(new ArrayBuffer(3), 1)).toThrow('header');
    expect(() => readSamples(new Float64Array([NaN, 1, 0, 0]).buffer, 1)).toThrow('header');
    expect(() => readSamples(new Float64Array([1, -1, 0, 0]).buffer, 1)).toThrow('header');
  });
});
