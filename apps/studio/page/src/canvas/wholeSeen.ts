// SPDX-License-Identifier: BSD-3-Clause
// Whether all of a drawing is seen through a pane.
export type Bounds = { left: number; right: number; top: number; bottom: number };
type Viewport = { x: number; y: number; zoom: number };
type Size = { width: number; height: number };

export const isAllSeen = (bounds: Bounds, seen: Viewport, pane: Size): boolean =>
  bounds.left * seen.zoom + seen.x >= 0 && bounds.right * seen.zoom + seen.x <= pane.width &&
  bounds.top * seen.zoom + seen.y >= 0 && bounds.bottom * seen.zoom + seen.y <= pane.height;

// The middle of what is seen stays the middle.
export const keptMiddle = (seen: Viewport, before: Size, now: Size): Viewport => ({
  x: seen.x + (now.width - before.width) / 2, y: seen.y + (now.height - before.height) / 2, zoom: seen.zoom,
});
