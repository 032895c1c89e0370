// SPDX-License-Identifier: BSD-3-Clause
// Drawings as lists of shapes: the screen paints them on a canvas, a file has them as SVG, and both look the same.
export type Colour = `--${string}`; // a variable of theme.css
export type Shape =
  | { kind: 'line'; points: number[]; colour: Colour; width: number; dash?: number[] | undefined; opacity?: number } // x, y, x, y, ...; NaN lifts the pen
  | { kind: 'mark'; sort: 'open' | 'full' | 'diamond' | 'mythical'; x: number; y: number; size: number; colour: Colour }
  | { kind: 'box'; x: number; y: number; width: number; height: number; fill: Colour; opacity?: number | undefined; hatch?: boolean }
  | { kind: 'words'; x: number; y: number; text: string; size: number; anchor: 'start' | 'middle' | 'end'; colour: Colour; isBold?: boolean }
  | { kind: 'clip'; x: number; y: number; width: number; height: number; shapes: Shape[] };

export type Palette = (colour: Colour) => string;
export const font = '"Inter", "Segoe UI", "Cantarell", "Noto Sans", "DejaVu Sans", system-ui, sans-serif';
export const hatchDistance = 7; // pixels between two lines of a hatch
export const markWidth = 1.5;

// The four corners of a diamond.
export const diamond = (x: number, y: number, size: number): [number, number][] => {
  const half = 0.62 * size;
  return [[x, y - half], [x + half, y], [x, y + half], [x - half, y]];
};

// About how wide words are, where nothing can measure them.
export const wordsWidth = (text: string, size: number): number => text.length * size * 0.56;
