// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { isAllSeen, keptMiddle } from './wholeSeen';

describe('what is seen of a drawing', () => {
  const bounds = { left: 0, right: 100, top: 0, bottom: 50 };
  it('is all of it, where its rectangle lies in the pane', () => {
    expect(isAllSeen(bounds, { x: 0, y: 0, zoom: 1 }, { width: 100, height: 50 })).toBe(true);
    expect(isAllSeen(bounds, { x: 0, y: 0, zoom: 1 }, { width: 100, height: 49 })).toBe(false);
    expect(isAllSeen(bounds, { x: -1, y: 0, zoom: 1 }, { width: 200, height: 200 })).toBe(false);
    expect(isAllSeen(bounds, { x: 0, y: 0, zoom: 2 }, { width: 199, height: 200 })).toBe(false);
  });
  it('keeps its middle when the pane becomes smaller', () => {
    expect(keptMiddle({ x: 10, y: 10, zoom: 2 }, { width: 100, height: 100 }, { width: 80, height: 40 })).toEqual({ x: 0, y: -20, zoom: 2 });
  });
});
