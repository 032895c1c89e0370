// SPDX-License-Identifier: BSD-3-Clause
// Where the words of arrows go: beside their own, and upon no state, no other arrow and no other words. The best of some places along each curve.
import type { Point } from './layout';

export type Rect = { x: number; y: number; width: number; height: number }; // x, y: the centre
export type Curve = { corners: Point[] }; // Bézier: 3 or 4

export const labelHeight = 18;
const along = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];
const samples = 40;
const asideOf = 6;

// de Casteljau
export function pointAt(corners: Point[], share: number): Point {
  if (corners.length === 1) return corners[0] ?? { x: 0, y: 0 };
  return pointAt(corners.slice(1).map((corner, index) => mix(corners[index] ?? corner, corner, share)), share);
}
const mix = (a: Point, b: Point, share: number): Point => ({ x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share });

export const pointsOf = (curve: Curve): Point[] => Array.from({ length: samples + 1 }, (_, index) => pointAt(curve.corners, index / samples));

function normalAt(curve: Curve, share: number): Point {
  const before = pointAt(curve.corners, share - 0.01);
  const behind = pointAt(curve.corners, share + 0.01);
  const length = Math.hypot(behind.x - before.x, behind.y - before.y) || 1;
  return { x: -(behind.y - before.y) / length, y: (behind.x - before.x) / length };
}

const overlapOf = (a: Rect, b: Rect): number =>
  Math.max(0, (a.width + b.width) / 2 - Math.abs(a.x - b.x)) * Math.max(0, (a.height + b.height) / 2 - Math.abs(a.y - b.y));
const holds = (rect: Rect, point: Point, margin: number): boolean =>
  Math.abs(point.x - rect.x) < rect.width / 2 + margin && Math.abs(point.y - rect.y) < rect.height / 2 + margin;

function candidatesOf(curve: Curve, width: number): { rect: Rect; cost: number }[] {
  return along.flatMap((share) =>
    [-1, 1].map((side) => {
      const point = pointAt(curve.corners, share);
      const normal = normalAt(curve, share);
      const far = Math.abs(normal.x) * (width / 2) + Math.abs(normal.y) * (labelHeight / 2) + asideOf;
      const rect = { x: point.x + side * normal.x * far, y: point.y + side * normal.y * far, width, height: labelHeight };
      return { rect, cost: 60 * Math.abs(share - 0.5) + (side === 1 ? 14 : 0) };
    }),
  );
}

// A place for the words of each curve, of the given widths; `taken` must stay free.
export function placeLabels(curves: Curve[], widths: number[], taken: Rect[]): Rect[] {
  const points = curves.map(pointsOf);
  const placed: Rect[] = [];
  const order = curves.map((_, index) => index).sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
  const result: Rect[] = curves.map(() => ({ x: 0, y: 0, width: 0, height: 0 }));
  for (const index of order) {
    const curve = curves[index];
    if (!curve) continue;
    let best: Rect | undefined;
    let least = Infinity;
    for (const { rect, cost } of candidatesOf(curve, widths[index] ?? 0)) {
      const upon = [...placed, ...taken].reduce((sum, other) => sum + overlapOf(rect, other), 0);
      const crossed = points.reduce((sum, list) => sum + list.filter((point) => holds(rect, point, 1)).length, 0);
      const all = cost + upon + 30 * crossed;
      if (all < least) [best, least] = [rect, all];
    }
    if (best) {
      result[index] = best;
      placed.push(best);
    }
  }
  return result;
}
