// SPDX-License-Identifier: BSD-3-Clause
// What is copied is text of the language, with the places of its symbols in a `drawing`.
import type { Point } from '../geometry';
import type { Placement } from '../protocol';

const drawing = /\bdrawing\s*\{[^}]*\}/g;
const place = /\bat\s+(-?[\d.]+(?:e[+-]?\d+)?)\s*,\s*(-?[\d.]+(?:e[+-]?\d+)?)/g;

const placesIn = (statements: string): Point[] =>
  [...statements.matchAll(drawing)].flatMap(([block]) => [...block.matchAll(place)].map(([, x, y]) => ({ x: Number(x), y: Number(y) })));

// The same statements with places for what has none: what the program placed is copied as it is seen.
export const withPlaces = (statements: string, places: Placement[]): string => {
  if (places.length === 0) return statements;
  const lines = places.map(({ name, x, y }) => `  ${name} at ${round(x)}, ${round(y)}\n`).join('');
  const has = statements.search(drawing) >= 0;
  return has ? statements.replace(drawing, (block) => `${block.slice(0, -1)}\n${lines}}`) : `${statements.trimEnd()}\ndrawing {\n${lines}}\n`;
};

// The same statements with all places moved by `by`.
export const movedBy = (statements: string, by: Point): string =>
  statements.replace(drawing, (block) => block.replace(place, (_, x: string, y: string) => `at ${round(Number(x) + by.x)}, ${round(Number(y) + by.y)}`));

// The same statements with the middle of all places at `to`; on the grid, so that what stood in line does again.
export const movedTo = (statements: string, to: Point, grid: number): string => {
  const places = placesIn(statements);
  if (places.length === 0) return statements;
  const left = Math.min(...places.map((each) => each.x)), right = Math.max(...places.map((each) => each.x));
  const top = Math.min(...places.map((each) => each.y)), bottom = Math.max(...places.map((each) => each.y));
  const snapped = (value: number): number => Math.round(value / grid) * grid;
  return movedBy(statements, { x: snapped(to.x - (left + right) / 2), y: snapped(to.y - (top + bottom) / 2) });
};

const round = (value: number): number => Math.round(value * 10) / 10;
