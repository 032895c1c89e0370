// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { isSeen, seenKey, seenOf } from './seen';

const box = (x: number, y: number) => ({ x, y, width: 20, height: 20 });

describe('what is seen of a drawing', () => {
  it('is all that is on the screen, and more', () => {
    for (const zoom of [0.05, 0.42, 1, 1.7, 4]) {
      const seen = seenOf(seenKey([-130, 77, zoom], 800, 600));
      expect(seen.left).toBeLessThan(130 / zoom);
      expect(seen.top).toBeLessThan(-77 / zoom);
      expect(seen.right).toBeGreaterThan(930 / zoom);
      expect(seen.bottom).toBeGreaterThan(523 / zoom);
    }
  });
  it('stays the same while the paper moves a little', () => {
    const keys = new Set(Array.from({ length: 100 }, (_, at) => seenKey([at, 0, 1], 800, 600)));
    expect(keys.size).toBeLessThanOrEqual(3);
  });
  it('has a bond that only passes through it', () => {
    const seen = { left: 0, top: 0, right: 100, bottom: 100 };
    expect(isSeen(seen, box(-500, 50), box(500, 50))).toBe(true);
    expect(isSeen(seen, box(-500, 50), box(-100, 50))).toBe(false);
    expect(isSeen(seen, box(50, 150), box(50, 400))).toBe(false);
  });
});
