// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { cradle } from '../fixtures/cradleDrawing';
import { labelSides, sideFree } from './labelSide';

const up = { x: 0, y: -1 }, down = { x: 0, y: 1 }, left = { x: -1, y: 0 }, right = { x: 1, y: 0 };

describe('the small text of a symbol', () => {
  it('stands below, unless a line leaves there', () => {
    expect(sideFree([up], 20, 20)).toBe('below');
    expect(sideFree([down], 20, 20)).toBe('above');
    expect(sideFree([down, up, right], 20, 20)).toBe('left');
  });
  it('stands in the corner that is farthest from all lines', () => {
    expect(sideFree([up, down, left, right, { x: 1, y: 1 }], 20, 20)).toBe('above-right');
  });
  it('counts what leaves a wide box steeply as leaving it below', () => {
    expect(sideFree([{ x: 60, y: 60 }], 100, 20)).toBe('above');
  });
  it('is found for all symbols of a drawing', () => {
    const sides = labelSides(cradle.diagram!);
    expect(sides.get('body1')).toBe('above');
    expect(sides.size).toBe(cradle.diagram!.symbols.length);
  });
});
