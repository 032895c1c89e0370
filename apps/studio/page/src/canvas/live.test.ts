// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { namesNear, namesWithin } from './live';

const symbols = [
  { name: 'mass', x: 0, y: 0, width: 40, height: 20 },
  { name: 'spring', x: 100, y: 0, width: 40, height: 20 },
  { name: 'motion', x: 0, y: 100, width: 20, height: 20 },
];

describe('symbols of a large drawing', () => {
  it('are found near the pointer by their rims', () => {
    expect([...namesNear(symbols, { x: 50, y: 0 }, 31)]).toEqual(['mass', 'spring']);
    expect([...namesNear(symbols, { x: 50, y: 0 }, 29)]).toEqual([]);
    expect([...namesNear(symbols, { x: 0, y: 90 }, 5)]).toEqual(['motion']);
  });
  it('are within a frame when all of them is', () => {
    expect(namesWithin(symbols, { x: -30, y: -30, width: 170, height: 60 })).toEqual(['mass', 'spring']);
    expect(namesWithin(symbols, { x: -10, y: -30, width: 170, height: 60 })).toEqual(['spring']);
  });
});
