// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { arranged } from './arrange';
import { argumentsOf, signsOf } from './blockLabel';
import { freeName, isName } from './names';
import { shownNumber } from './numbers';
import { freePlace, snap } from './snapping';

describe('numbers', () => {
  it('have four figures and no noise', () => {
    expect(shownNumber(0.5)).toBe('0.5');
    expect(shownNumber(1 / 3)).toBe('0.3333');
    expect(shownNumber(-9.81)).toBe('−9.81');
    expect(shownNumber(12345.678)).toBe('12346');
    expect(shownNumber(1.5e7)).toBe('1.5e7');
    expect(shownNumber(-2e-7)).toBe('−2e−7');
    expect(shownNumber(0)).toBe('0');
    expect(shownNumber(Infinity)).toBe('∞');
    expect(shownNumber(null)).toBe('–');
  });
});

describe('names', () => {
  it('are those of the language', () => {
    expect(['x', 'θ', 'x₁', 'a_1', 'R'].map((name) => isName(name.replace('₁', '1')))).toEqual([true, true, true, true, true]);
    expect(['', '1x', 'a-b', 'when', 'time'].map(isName)).toEqual([false, false, false, false, false]);
  });
  it('are counted on until they are free', () => {
    expect(freeName('I', ['I1', 'I2', 'C1'])).toBe('I3');
  });
});

describe('snapping', () => {
  it('rests on the grid where nothing is near', () => {
    expect(snap({ x: 33, y: 48 }, [])).toMatchObject({ x: 40, y: 40, guides: [] });
  });
  it('rests in line with others and shows the line', () => {
    const snapped = snap({ x: 33, y: 48 }, [{ x: 35, y: 300 }]);
    expect(snapped).toMatchObject({ x: 35, y: 40 });
    expect(snapped.guides).toEqual([{ isUpright: true, at: 35, from: 40, to: 300 }]);
  });
  it('finds a place that is free', () => {
    const place = freePlace({ x: 0, y: 0 }, { width: 20, height: 20 }, [{ x: 0, y: 0, width: 20, height: 20 }]);
    expect(Math.max(Math.abs(place.x), Math.abs(place.y))).toBeGreaterThanOrEqual(30);
    expect(freePlace({ x: 3, y: 58 }, { width: 20, height: 20 }, [])).toEqual({ x: 0, y: 60 });
  });
});

describe('arranging', () => {
  const boxes = [
    { name: 'a', x: 0, y: 0, width: 20, height: 20 },
    { name: 'b', x: 100, y: 13, width: 40, height: 20 },
    { name: 'c', x: 240, y: 20, width: 20, height: 40 },
  ];
  it('puts centres in line', () => {
    expect(arranged(boxes, 'row').map((place) => place.y)).toEqual([10, 10, 10]);
    expect(arranged(boxes, 'column').map((place) => place.x)).toEqual([110, 110, 110]);
  });
  it('puts sides in line', () => {
    expect(arranged(boxes, 'left').map((place) => place.x)).toEqual([0, 10, 0]);
    expect(arranged(boxes, 'bottom').map((place) => place.y)).toEqual([30, 30, 20]);
  });
  it('spreads centres evenly and leaves the outer ones', () => {
    expect(arranged(boxes, 'spread-row').map((place) => place.x)).toEqual([0, 120, 240]);
  });
});

describe('what stands in a block', () => {
  it('tells its inputs and their signs', () => {
    expect(argumentsOf('gain(max(a, b), 2)')).toEqual(['max(a, b)', '2']);
    expect(signsOf('sum(+wanted, -position)')).toBe('+−');
    expect(signsOf('sum(a, b, c, d)')).toBe('');
    expect(signsOf('sum(+wanted, -posi…')).toBe('');
    expect(argumentsOf('a - b')).toEqual([]);
  });
});
