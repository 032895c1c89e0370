// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { TimeMap, moved, within, zoomed } from './timeMap';

describe('the time axis', () => {
  it('spreads the view over the paper', () => {
    const map = new TimeMap({ from: 1, to: 3 }, 100, 300);
    expect(map.across(2)).toBe(200);
    expect(map.at(250)).toEqual({ time: 2.5, row: null });
  });
  it('opens up at an instant, where its rows lie side by side', () => {
    const map = new TimeMap({ from: 0, to: 1 }, 0, 1000, { time: 0.2, first: 60, count: 4 });
    const section = map.section;
    expect(section).not.toBeNull();
    if (section === null) return;
    expect(section.right - section.left).toBe(480);
    expect(map.across(0.2)).toBeCloseTo(section.left);
    expect(map.acrossBehind(0.2)).toBeCloseTo(section.right);
    expect(map.across(1)).toBeCloseTo(1000);
    expect(map.at(map.bandMiddle(62))).toEqual({ time: 0.2, row: 62 });
    expect(map.at(map.across(0.7)).time).toBeCloseTo(0.7);
    expect(map.at(map.across(0.1)).time).toBeCloseTo(0.1);
  });
  it('stays closed at an instant that is not in the view', () => {
    expect(new TimeMap({ from: 0.5, to: 1 }, 0, 1000, { time: 0.2, first: 60, count: 4 }).section).toBeNull();
  });
});

describe('zooming', () => {
  const whole = { from: 0, to: 10 };
  it('leaves the time under the pointer where it is', () => {
    expect(zoomed(whole, whole, 4, 0.5)).toEqual({ from: 2, to: 7 });
  });
  it('never leaves the whole', () => {
    expect(zoomed({ from: 0, to: 2 }, whole, 0, 100)).toEqual(whole);
    expect(moved({ from: 8, to: 10 }, whole, 0.5)).toEqual({ from: 8, to: 10 });
    expect(within({ from: -3, to: 1 }, whole)).toEqual({ from: 0, to: 4 });
  });
  it('ends before doubles run out', () => {
    let view = whole;
    for (let step = 0; step < 200; step++) view = zoomed(view, whole, 3, 0.5);
    expect(view.to).toBeGreaterThan(view.from);
  });
  it('survives a run without length', () => {
    expect(within({ from: 0, to: 0 }, { from: 0, to: 0 })).toEqual({ from: 0, to: 0 });
  });
});
