// SPDX-License-Identifier: BSD-3-Clause
// Where the states of a machine stand, and which way its arrows go. States stand in a row, from three on in a circle; those inside of a state in a row
// in its box. Arrows between two states bend to their own right-hand side, so that there and back never lie upon each other, and each further one bends more.
import type { MachineAnswer } from '../protocol';
import { placeLabels, pointsOf } from './labels';
import type { Curve, Rect } from './labels';

export type State = MachineAnswer['states'][number];
export type Transition = MachineAnswer['transitions'][number];
export type Point = { x: number; y: number };
export type StateBox = { name: string; label: string; x: number; y: number; width: number; height: number; isGroup: boolean }; // x, y: the centre
export type Arrow = { number: number; corners: Point[]; path: string; tip: Point; angle: number; label: Rect };
type Drawn = Omit<Arrow, 'number' | 'label' | 'path'>;
export type Plan = { states: StateBox[]; arrows: Arrow[]; left: number; top: number; width: number; height: number };

export const measures = {
  letter: 7.6, // about the width of one
  least: 84, // of a state
  height: 44,
  inside: 110, // between states in one box
  margin: 18, // around them
  head: 24, // for the name of the box
  row: 150, // between two states
  firstBend: 34,
  nextBend: 40,
  loop: 46,
  around: 10, // free of everything
  tipGap: 5,
} as const;

type Item = { name: string; label: string; inner: Item[]; width: number; height: number };

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
const topOf = (path: string): string => path.split('.')[0] ?? path;
const outerOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('.'), 0));

// States by what is around them; regions are boxes, too, though no state is called so.
function itemsIn(states: State[]): Item[] {
  const items = new Map<string, Item>();
  const top: Item[] = [];
  const itemOf = (path: string): Item => {
    const known = items.get(path);
    if (known) return known;
    const made: Item = { name: path, label: lastOf(path), inner: [], width: 0, height: 0 };
    items.set(path, made);
    const outer = outerOf(path);
    (outer ? itemOf(outer).inner : top).push(made);
    return made;
  };
  for (const state of states) itemOf(state.name);
  return top;
}

function measure(item: Item) {
  item.inner.forEach(measure);
  const own = Math.max(measures.least, item.label.length * measures.letter + 44);
  if (item.inner.length === 0) {
    item.width = own;
    item.height = measures.height;
    return;
  }
  const sum = item.inner.reduce((width, inner) => width + inner.width, 0) + (item.inner.length - 1) * measures.inside;
  item.width = Math.max(own, sum + 2 * measures.margin);
  item.height = Math.max(...item.inner.map((inner) => inner.height)) + measures.head + 2 * measures.margin + 56;
}

function place(item: Item, at: Point, boxes: Map<string, StateBox>) {
  boxes.set(item.name, { name: item.name, label: item.label, x: at.x, y: at.y, width: item.width, height: item.height, isGroup: item.inner.length > 0 });
  let x = at.x - item.width / 2 + measures.margin;
  for (const inner of item.inner) {
    place(inner, { x: x + inner.width / 2, y: at.y + measures.head / 2 + 14 }, boxes);
    x += inner.width + measures.inside;
  }
}

function placeAll(items: Item[], boxes: Map<string, StateBox>, longest: number, isNarrow: boolean) {
  const widest = Math.max(0, ...items.map((item) => item.width));
  const tallest = Math.max(0, ...items.map((item) => item.height));
  if (items.length <= 2) {
    const step = isNarrow ? tallest + 96 : widest + Math.max(measures.row, longest - 40);
    items.forEach((item, index) => place(item, isNarrow ? { x: 0, y: index * step } : { x: index * step, y: 0 }, boxes));
    return;
  }
  const turn = (2 * Math.PI) / items.length;
  const radiusX = Math.max((widest + (isNarrow ? 60 : Math.max(190, longest + 30))) / 2 / Math.sin(turn / 2), widest * 0.75);
  const radiusY = Math.max((tallest + 96) / 2 / Math.sin(turn / 2), isNarrow ? 96 : 124);
  items.forEach((item, index) => {
    const angle = -Math.PI / 2 + (items.length === 4 ? -Math.PI / 4 : 0) + index * turn;
    place(item, { x: (isNarrow ? Math.min(radiusX, widest * 0.85) : radiusX) * Math.cos(angle), y: radiusY * Math.sin(angle) }, boxes);
  });
}

// ---- arrows ----

// Where the way from the centre of `box` to `to` leaves it.
export function borderOf(box: StateBox, to: Point): Point {
  const dx = to.x - box.x;
  const dy = to.y - box.y;
  if (dx === 0 && dy === 0) return { x: box.x, y: box.y };
  const share = Math.min(dx === 0 ? Infinity : box.width / 2 / Math.abs(dx), dy === 0 ? Infinity : box.height / 2 / Math.abs(dy));
  return { x: box.x + dx * share, y: box.y + dy * share };
}

const number = (value: number): string => value.toFixed(1);
const pathOf = (corners: Point[]): string =>
  corners.map((corner, index) => `${index === 0 ? 'M' : index === 1 ? (corners.length === 3 ? 'Q' : 'C') : ''}${number(corner.x)} ${number(corner.y)}`).join(' ');

function loopOf(box: StateBox, count: number): Drawn {
  const reach = measures.loop + count * 26;
  const half = 15 + 5 * count;
  const x = box.x - box.width / 2 + half + 14; // beside the middle, where arrows come down
  const y = box.y + box.height / 2;
  const tip = { x: x + half, y: y + measures.tipGap - 2 };
  return { corners: [{ x: x - half, y }, { x: x - half - 10, y: y + reach }, { x: x + half + 10, y: y + reach }, tip], tip, angle: Math.atan2(-1, -0.22) };
}

function bentArrow(from: StateBox, to: StateBox, count: number): Drawn {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy) || 1;
  const normal = { x: -dy / length, y: dx / length }; // to the right-hand side of who goes there, as y points down
  const bend = measures.firstBend + count * measures.nextBend;
  const middle = { x: (from.x + to.x) / 2 - normal.x * 2 * bend, y: (from.y + to.y) / 2 - normal.y * 2 * bend };
  const start = borderOf(from, middle);
  const edge = borderOf(to, middle);
  const reach = Math.hypot(middle.x - edge.x, middle.y - edge.y) || 1;
  const tip = { x: edge.x + ((middle.x - edge.x) / reach) * measures.tipGap, y: edge.y + ((middle.y - edge.y) / reach) * measures.tipGap };
  return { corners: [start, middle, tip], tip, angle: Math.atan2(tip.y - middle.y, tip.x - middle.x) };
}

function drawArrows(transitions: Transition[], boxes: Map<string, StateBox>): (Drawn & { number: number })[] {
  const counts = new Map<string, number>();
  const arrows: (Drawn & { number: number })[] = [];
  transitions.forEach((transition, index) => {
    const from = boxes.get(transition.from);
    const to = boxes.get(transition.to);
    if (!from || !to) return;
    const isInside = topOf(transition.from) === topOf(transition.to);
    const key = isInside ? `${transition.from} ${transition.to}` : `${topOf(transition.from)} ${topOf(transition.to)}`; // from all in one box
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    arrows.push({ number: index, ...(from === to ? loopOf(from, count) : bentArrow(from, to, count)) });
  });
  return arrows;
}

// What words must not stand upon: states, with the dot before them, and of boxes their frame and name.
const takenBy = (box: StateBox): Rect[] =>
  !box.isGroup ? [{ x: box.x - 9, y: box.y - 5, width: box.width + 18, height: box.height + 18 }]
  : [
      { x: box.x, y: box.y - box.height / 2 + 12, width: box.width, height: measures.head },
      { x: box.x, y: box.y + box.height / 2, width: box.width, height: 4 },
      { x: box.x - box.width / 2, y: box.y, width: 4, height: box.height },
      { x: box.x + box.width / 2, y: box.y, width: 4, height: box.height },
    ];

// ---- all of it ----

// `words` are what is written at each transition.
export function planOf(states: State[], transitions: Transition[], words: string[], isNarrow: boolean): Plan {
  const items = itemsIn(states);
  const boxes = new Map<string, StateBox>();
  items.forEach(measure);
  const widths = words.map((text) => text.length * measures.letter + 8);
  placeAll(items, boxes, Math.max(0, ...widths), isNarrow);
  const all = [...boxes.values()];
  if (all.length === 0) return { states: [], arrows: [], left: 0, top: 0, width: 100, height: 60 };
  const drawn = drawArrows(transitions, boxes);
  const curves: Curve[] = drawn.map(({ corners }) => ({ corners }));
  const labels = placeLabels(curves, drawn.map((arrow) => widths[arrow.number] ?? 0), all.flatMap(takenBy));
  const arrows = drawn.map((arrow, index): Arrow => ({ ...arrow, path: pathOf(arrow.corners), label: labels[index] ?? { ...arrow.tip, width: 0, height: 0 } }));
  const rects = [...all.map((box) => ({ ...box, width: box.width + 44, height: box.height + 32 })), ...labels];
  const points = curves.flatMap(pointsOf);
  const left = Math.min(...rects.map((rect) => rect.x - rect.width / 2), ...points.map((point) => point.x)) - measures.around;
  const top = Math.min(...rects.map((rect) => rect.y - rect.height / 2), ...points.map((point) => point.y)) - measures.around;
  const right = Math.max(...rects.map((rect) => rect.x + rect.width / 2), ...points.map((point) => point.x)) + measures.around;
  const bottom = Math.max(...rects.map((rect) => rect.y + rect.height / 2), ...points.map((point) => point.y)) + measures.around;
  return { states: all, arrows, left, top, width: right - left, height: bottom - top };
}

// The state next to `name` in a direction, for the arrow keys: the nearest whose way leads there.
export function neighbourOf(plan: Plan, name: string, dx: number, dy: number): string {
  const from = plan.states.find((box) => box.name === name);
  if (!from) return plan.states[0]?.name ?? name;
  let best = name;
  let bestWay = Infinity;
  for (const box of plan.states) {
    const along = (box.x - from.x) * dx + (box.y - from.y) * dy;
    const aside = Math.abs((box.x - from.x) * dy) + Math.abs((box.y - from.y) * dx);
    if (box.name === name || along <= 0) continue;
    const way = along + 2 * aside;
    if (way < bestWay) [best, bestWay] = [box.name, way];
  }
  return best;
}
