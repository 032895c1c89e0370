// SPDX-License-Identifier: BSD-3-Clause
// Where something that floats stands, so that all of it is on the screen.
export const within = (at: { x: number; y: number }, size: { width: number; height: number }): { left: number; top: number } => ({
  left: Math.max(4, Math.min(at.x + 6, window.innerWidth - size.width - 8)),
  top: Math.max(4, Math.min(at.y + 6, window.innerHeight - size.height - 8)),
});
