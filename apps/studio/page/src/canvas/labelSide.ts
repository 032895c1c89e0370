// SPDX-License-Identifier: BSD-3-Clause
// On which side of a symbol its small text stands: the first on which no line leaves it, else the corner that is farthest from all lines.
import type { Diagram } from '../protocol';

export type Side = 'below' | 'above' | 'right' | 'left' | 'below-right' | 'below-left' | 'above-right' | 'above-left';
type Direction = { x: number; y: number };

const sides: { side: Side; at: Direction }[] = [
  { side: 'below', at: { x: 0, y: 1 } },
  { side: 'above', at: { x: 0, y: -1 } },
  { side: 'right', at: { x: 1, y: 0 } },
  { side: 'left', at: { x: -1, y: 0 } },
];
const corners: { side: Side; at: Direction }[] = [
  { side: 'below-right', at: { x: Math.SQRT1_2, y: Math.SQRT1_2 } },
  { side: 'above-right', at: { x: Math.SQRT1_2, y: -Math.SQRT1_2 } },
  { side: 'below-left', at: { x: -Math.SQRT1_2, y: Math.SQRT1_2 } },
  { side: 'above-left', at: { x: -Math.SQRT1_2, y: -Math.SQRT1_2 } },
];
const wide = Math.cos((50 * Math.PI) / 180);

export const sideFree = (lines: Direction[], width: number, height: number): Side => {
  // what leaves a wide box steeply leaves it above or below
  const seen = lines.map((line) => {
    const x = line.x / Math.max(width, 1), y = line.y / Math.max(height, 1);
    const length = Math.hypot(x, y);
    return length > 0 ? { x: x / length, y: y / length } : { x: 0, y: 0 };
  });
  const nearest = (at: Direction): number => seen.reduce((most, line) => Math.max(most, line.x * at.x + line.y * at.y), -1);
  const free = sides.find(({ at }) => nearest(at) < wide);
  return free ? free.side : corners.reduce((best, corner) => (nearest(corner.at) < nearest(best.at) - 1e-9 ? corner : best)).side;
};

// For all symbols of a diagram, by name.
export const labelSides = (diagram: Diagram): Map<string, Side> => {
  const symbols = new Map(diagram.symbols.map((symbol) => [symbol.name, symbol]));
  const lines = new Map<string, Direction[]>();
  const put = (one: string, other: string): void => {
    const from = symbols.get(one), to = symbols.get(other);
    if (!from || !to) return;
    const list = lines.get(one) ?? [];
    list.push({ x: to.x - from.x, y: to.y - from.y });
    lines.set(one, list);
  };
  for (const { tail, head } of diagram.bonds) {
    put(tail, head);
    put(head, tail);
  }
  for (const { from, to } of diagram.links) {
    put(from, to);
    put(to, from);
  }
  return new Map(diagram.symbols.map((symbol) => [symbol.name, sideFree(lines.get(symbol.name) ?? [], symbol.width, symbol.height)]));
};
