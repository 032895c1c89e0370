// SPDX-License-Identifier: BSD-3-Clause
// Where the states of a machine stand, and which way its arrows go. States stand in a row, from three on in a circle; those inside of a state in a row
// in its box. Arrows between two states bend to their own right-hand side, so that there and back never lie upon each other, and each further one bends more.
import type { MachineAnswer } from '../protocol';

export type State = MachineAnswer['states'][number];
export type Transition = MachineAnswer['transitions'][number];
export type Point = { x: number; y: number };
export type StateBox = { name: string; label: string; x: number; y: number; width: number; height: number; isGroup: boolean }; // x, y: the centre
export type Arrow = { number: number; path: string; tip: Point; angle: number; label: Point; anchor: 'start' | 'middle' | 'end' };
export type Plan = { states: StateBox[]; arrows: Arrow[]; left: number; top: number; width: number; height: number };

export const measures = {
  letter: 7.6, // about the width of one
  least: 84, // of a state
  height: 44,
  inside: 22, // between states in one box
  margin: 18, // around them
  head: 24, // for the name of the box
  row: 150, // between two states
  firstBend: 34,
  nextBend: 40,
  loop: 46,
  around: 40, // free of everything
  tipGap: 5,
} as const;

type Item = { name: string; label: string; inner: Item[]; width: number; height: number };

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
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
  const sum = item.inner.reduce((width, inner) => width + inner.width, 0) + (item.inner.length - 1) * (measures.inside + 60);
  item.width = Math.max(own, sum + 2 * measures.margin);
  item.height = Math.max(...item.inner.map((inner) => inner.height)) + measures.head + 2 * measures.margin + 14;
}

function place(item: Item, at: Point, boxes: Map<string, StateBox>) {
  boxes.set(item.name, { name: item.name, label: item.label, x: at.x, y: at.y, width: item.width, height: item.height, isGroup: item.inner.length > 0 });
  let x = at.x - item.width / 2 + measures.margin;
  for (const inner of item.inner) {
    place(inner, { x: x + inner.width / 2, y: at.y + measures.head / 2 }, boxes);
    x += inner.width + measures.inside + 60;
  }
}

function placeAll(items: Item[], boxes: Map<string, StateBox>, isNarrow: boolean) {
  const widest = Math.max(0, ...items.map((item) => item.width));
  const tallest = Math.max(0, ...items.map((item) => item.height));
  if (items.length <= 2) {
    const step = isNarrow ? tallest + 96 : widest + measures.row;
    items.forEach((item, index) => place(item, isNarrow ? { x: 0, y: index * step } : { x: index * step, y: 0 }, boxes));
    return;
  }
  const turn = (2 * Math.PI) / items.length;
  const radiusX = Math.max((widest + (isNarrow ? 60 : 120)) / 2 / Math.sin(turn / 2), widest * 0.75);
  const radiusY = Math.max((tallest + 96) / 2 / Math.sin(turn / 2), 96);
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

function loopOf(box: StateBox, count: number): Omit<Arrow, 'number'> {
  const reach = measures.loop + count * 26;
  const half = 15 + 5 * count;
  const y = box.y - box.height / 2;
  const tip = { x: box.x + half, y: y - measures.tipGap + 2 };
  return {
    path: `M${number(box.x - half)} ${number(y)} C${number(box.x - half - 10)} ${number(y - reach)} ${number(box.x + half + 10)} ${number(y - reach)} ${number(tip.x)} ${number(tip.y)}`,
    tip,
    angle: Math.atan2(1, -0.22),
    label: { x: box.x, y: y - reach * 0.75 - 8 },
    anchor: 'middle',
  };
}

function bentArrow(from: StateBox, to: StateBox, count: number): Omit<Arrow, 'number'> {
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
  const top = { x: start.x / 4 + middle.x / 2 + tip.x / 4, y: start.y / 4 + middle.y / 2 + tip.y / 4 };
  const isAcross = Math.abs(normal.x) > 0.75;
  return {
    path: `M${number(start.x)} ${number(start.y)} Q${number(middle.x)} ${number(middle.y)} ${number(tip.x)} ${number(tip.y)}`,
    tip,
    angle: Math.atan2(tip.y - middle.y, tip.x - middle.x),
    label: { x: top.x - normal.x * (isAcross ? 12 : 14), y: top.y - normal.y * 14 },
    anchor: !isAcross ? 'middle' : normal.x > 0 ? 'end' : 'start',
  };
}

function arrowsOf(transitions: Transition[], boxes: Map<string, StateBox>): Arrow[] {
  const counts = new Map<string, number>();
  const arrows: Arrow[] = [];
  transitions.forEach((transition, index) => {
    const from = boxes.get(transition.from);
    const to = boxes.get(transition.to);
    if (!from || !to) return;
    const key = `${transition.from} ${transition.to}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    arrows.push({ number: index, ...(from === to ? loopOf(from, count) : bentArrow(from, to, count)) });
  });
  return arrows;
}

// ---- all of it ----

export function planOf(states: State[], transitions: Transition[], isNarrow: boolean): Plan {
  const items = itemsIn(states);
  const boxes = new Map<string, StateBox>();
  items.forEach(measure);
  placeAll(items, boxes, isNarrow);
  const all = [...boxes.values()];
  const arrows = arrowsOf(transitions, boxes);
  const xs = [...all.flatMap((box) => [box.x - box.width / 2 - 20, box.x + box.width / 2]), ...arrows.map((arrow) => arrow.label.x)];
  const ys = [...all.flatMap((box) => [box.y - box.height / 2 - 12, box.y + box.height / 2]), ...arrows.map((arrow) => arrow.label.y)];
  if (all.length === 0) return { states: [], arrows: [], left: 0, top: 0, width: 100, height: 60 };
  const left = Math.min(...xs) - measures.around;
  const top = Math.min(...ys) - measures.around / 2;
  return { states: all, arrows, left, top, width: Math.max(...xs) + measures.around - left, height: Math.max(...ys) + measures.around / 2 - top };
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
