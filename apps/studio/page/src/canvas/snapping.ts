// SPDX-License-Identifier: BSD-3-Clause
// Where a symbol that is dragged comes to rest: in line with others near by, else on the grid.
import type { Point } from '../geometry';

export const gridStep = 20;
const pull = 7; // how near a line of others has to be

export const snapToGrid = (point: Point): Point => ({
  x: Math.round(point.x / gridStep) * gridStep,
  y: Math.round(point.y / gridStep) * gridStep,
});

export type Guide = { isUpright: boolean; at: number; from: number; to: number };
export type Snapped = { x: number; y: number; guides: Guide[] };

const nearest = (values: number[], value: number, reach: number): number | null => {
  let best: number | null = null;
  for (const each of values) {
    if (Math.abs(each - value) <= reach && (best === null || Math.abs(each - value) < Math.abs(best - value))) best = each;
  }
  return best;
};

// `others`: centres of the symbols that stay. `zoom`: so that the pull is the same on the screen at every size.
export const snap = (point: Point, others: Point[], zoom = 1): Snapped => {
  const reach = pull / Math.max(zoom, 0.2);
  const grid = snapToGrid(point);
  const x = nearest(others.map((other) => other.x), point.x, reach) ?? grid.x;
  const y = nearest(others.map((other) => other.y), point.y, reach) ?? grid.y;
  return { x, y, guides: guidesAt({ x, y }, others) };
};

// Lines through others that stand exactly above, below or beside.
export const guidesAt = (point: Point, others: Point[]): Guide[] => {
  const guides: Guide[] = [];
  const above = others.filter((other) => other.x === point.x && Math.abs(other.y - point.y) < 600).map((other) => other.y);
  if (above.length > 0) guides.push({ isUpright: true, at: point.x, from: Math.min(point.y, ...above), to: Math.max(point.y, ...above) });
  const beside = others.filter((other) => other.y === point.y && Math.abs(other.x - point.x) < 800).map((other) => other.x);
  if (beside.length > 0) guides.push({ isUpright: false, at: point.y, from: Math.min(point.x, ...beside), to: Math.max(point.x, ...beside) });
  return guides;
};

// The nearest place to `point` at which a symbol of this size lies upon no other.
export const freePlace = (point: Point, size: { width: number; height: number }, others: { x: number; y: number; width: number; height: number }[]): Point => {
  const isFree = (at: Point): boolean =>
    others.every(
      (other) => Math.abs(other.x - at.x) >= (other.width + size.width) / 2 + gridStep / 2 || Math.abs(other.y - at.y) >= (other.height + size.height) / 2 + gridStep / 2,
    );
  const begin = snapToGrid(point);
  for (let ring = 0; ring < 60; ring++) {
    for (let across = -ring; across <= ring; across++) {
      for (let down = -ring; down <= ring; down++) {
        if (Math.max(Math.abs(across), Math.abs(down)) !== ring) continue;
        const at = { x: begin.x + across * gridStep, y: begin.y + down * gridStep };
        if (isFree(at)) return at;
      }
    }
  }
  return begin;
};
