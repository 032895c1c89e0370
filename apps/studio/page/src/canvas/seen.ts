// SPDX-License-Identifier: BSD-3-Clause
// What part of the drawing is on the screen, roughly: it changes in large steps only, so that what depends on it is seldom drawn anew.
import { useStore } from '@xyflow/react';
import { useMemo } from 'react';
import type { Box } from '../geometry';

export type Seen = { left: number; top: number; right: number; bottom: number };

// A step is about half a screen of 1,000 px, a power of two: it stays as it is while one zooms a little.
const stepOf = (zoom: number): number => 2 ** Math.round(Math.log2(500 / zoom));

// Left, top, right, bottom in steps, and the step.
export const seenKey = ([x, y, zoom]: readonly [number, number, number], width: number, height: number): string => {
  const step = stepOf(zoom);
  const first = (at: number): number => Math.floor(at / zoom / step - 0.25);
  const last = (at: number): number => Math.ceil(at / zoom / step + 0.25);
  return [first(-x), first(-y), last(width - x), last(height - y), step].join(' ');
};

export const seenOf = (key: string): Seen => {
  const [left, top, right, bottom, step] = key.split(' ').map(Number) as [number, number, number, number, number];
  return { left: left * step, top: top * step, right: right * step, bottom: bottom * step };
};

// May a line between these two be seen?
export const isSeen = (seen: Seen, from: Box, to: Box): boolean =>
  Math.max(from.x, to.x) >= seen.left && Math.min(from.x, to.x) <= seen.right && Math.max(from.y, to.y) >= seen.top && Math.min(from.y, to.y) <= seen.bottom;

export const useSeen = (): Seen => {
  const key = useStore((state) => seenKey(state.transform, state.width, state.height));
  return useMemo(() => seenOf(key), [key]);
};
