// SPDX-License-Identifier: BSD-3-Clause
// How bonds, active bonds and signals are drawn between two symbols: all lengths and places, and nothing else. The same formulas in C
// are src/diagram/geometry.c, the same measures src/diagram/geometry.def; tests hold the ones against the others. Lengths are pixels, y points
// down. Along a line, u points from its tail to its head, and n across it to the side of the flow: below the line, or right of a vertical one,
// whatever the direction of power.

export const measures = {
  gap: 4, // between a symbol's box and a line's end
  barbBack: 13, // the half arrow: back along the bond from its tip
  barbAside: 7, // and to the side of the flow
  strokeHalf: 9, // the causal stroke: to both sides of the bond
  strokeWidth: 2.8,
  bondWidth: 1.5,
  effortAside: 13, // labels in the middle of a bond: the effort on the one side
  flowAside: 15, // and the flow on the other
  laneHalf: 8, // bonds between the same two symbols are two of these apart
  arrowBack: 12, // the full arrow of an active bond
  arrowAside: 5,
  headBack: 9, // the open head of a signal
  headAside: 4.5,
  signalWidth: 1.2,
  derivativeAlong: 8, // the letter d beside a stroke in derivative causality: from the end of the bond inwards
  derivativeAside: 13,
  symbolSize: 16, // of the letters of symbols
  nameSize: 12, // of the names of junctions and blocks
  labelSize: 11, // of parameters and values
  junctionWidth: 16, // boxes
  junctionHeight: 20,
  frameWidth: 30, // of a junction that is switched
  frameHeight: 30,
  frameRadius: 8,
  blockWidth: 36,
  blockHeight: 28,
  submodelWidth: 64,
  submodelHeight: 44,
} as const;

export type Point = { x: number; y: number };
export type Box = { x: number; y: number; width: number; height: number }; // x, y: its centre
export type Line = { from: Point; to: Point };
export type StrokePlace = 'unknown' | 'tail' | 'head';

export type BondGeometry = {
  line: Line; // from the tail to the head
  barb: Line; // from the tip
  stroke: Line | null;
  effortLabel: Point; // centres of texts
  flowLabel: Point;
  derivativeLabel: Point | null;
};
export type ArrowGeometry = { line: Line; head: [Point, Point, Point]; label: Point; sign: Point }; // of the head: one barb, tip, the other barb; sign: of a guard, beside the head

const along = (at: Point, direction: Point, length: number): Point => ({ x: at.x + direction.x * length, y: at.y + direction.y * length });

const direction = (from: Point, to: Point): Point => {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  return length > 0 ? { x: (to.x - from.x) / length, y: (to.y - from.y) / length } : { x: 1, y: 0 };
};

// Across u, to the side of the flow.
export const flowSide = (u: Point): Point => {
  const n = { x: -u.y, y: u.x };
  return n.y < 0 || (n.y === 0 && n.x < 0) ? { x: -n.x, y: -n.y } : n;
};

// How far from the centre of the box, in direction u, its rim with the gap around it lies.
const reach = (box: Box, u: Point): number => {
  const across = u.x !== 0 ? (box.width / 2 + measures.gap) / Math.abs(u.x) : Infinity;
  const down = u.y !== 0 ? (box.height / 2 + measures.gap) / Math.abs(u.y) : Infinity;
  return Math.min(across, down);
};

// The piece of the way between the centres that is outside of both boxes, moved aside; of no length where they stand too near.
const lineBetween = (tail: Box, head: Box, u: Point, n: Point, aside: number): Line => {
  let begin = reach(tail, u);
  let end = Math.hypot(head.x - tail.x, head.y - tail.y) - reach(head, u);
  if (end < begin) begin = end = (begin + end) / 2;
  return { from: along(along(tail, u, begin), n, aside), to: along(along(tail, u, end), n, aside) };
};

const middle = (line: Line): Point => ({ x: (line.from.x + line.to.x) / 2, y: (line.from.y + line.to.y) / 2 });

export const bondGeometry = (tail: Box, head: Box, lane = 0, lanes = 1, stroke: StrokePlace = 'unknown'): BondGeometry => {
  const u = direction(tail, head);
  const n = flowSide(u);
  const line = lineBetween(tail, head, u, n, (2 * lane - (lanes - 1)) * measures.laneHalf);
  const isAtTail = stroke === 'tail';
  const end = isAtTail ? line.from : line.to;
  return {
    line,
    barb: { from: line.to, to: along(along(line.to, u, -measures.barbBack), n, measures.barbAside) },
    stroke: stroke === 'unknown' ? null : { from: along(end, n, -measures.strokeHalf), to: along(end, n, measures.strokeHalf) },
    effortLabel: along(middle(line), n, -measures.effortAside),
    flowLabel: along(middle(line), n, measures.flowAside),
    derivativeLabel:
      stroke === 'unknown' ? null : along(along(end, u, isAtTail ? measures.derivativeAlong : -measures.derivativeAlong), n, -measures.derivativeAside),
  };
};

const signBeyond = 1.6; // how much farther from the tip than the ends of the head the sign of a guard stands

// Of an active bond, whose head is filled, or of a signal, whose head is open.
export const arrowGeometry = (tail: Box, head: Box, sort: 'active' | 'signal', asideBy = 0): ArrowGeometry => {
  const u = direction(tail, head);
  const n = flowSide(u);
  const line = lineBetween(tail, head, u, n, asideBy);
  const back = along(line.to, u, sort === 'active' ? -measures.arrowBack : -measures.headBack);
  const aside = sort === 'active' ? measures.arrowAside : measures.headAside;
  return {
    line, head: [along(back, n, -aside), line.to, along(back, n, aside)], label: along(middle(line), n, -measures.effortAside),
    sign: along(along(line.to, u, signBeyond * -measures.headBack), n, signBeyond * -measures.headAside),
  };
};

// How far aside number `lane` of `lanes` arrows between two symbols lies: about the middle; beside the bonds, on the side of the effort, where
// there are any.
export const arrowAside = (lane: number, lanes: number, bonds: number): number =>
  (bonds > 0 ? -(bonds - 1) - linkBeside * (lane + 1) : 2 * lane - (lanes - 1)) * measures.laneHalf;
const linkBeside = 1.25;

export type Anchor = 'start' | 'middle' | 'end';
// How a text that is wider than high keeps clear of a line whose normal is n, when it stands on the side `side` (1: of the flow, -1: of the effort).
export const labelAnchor = (line: Line, side: 1 | -1): Anchor => {
  const n = flowSide(direction(line.from, line.to));
  const lean = n.x * side;
  return lean > 0.5 ? 'start' : lean < -0.5 ? 'end' : 'middle';
};
