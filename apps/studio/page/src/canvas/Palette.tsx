// SPDX-License-Identifier: BSD-3-Clause
// What can be placed upon the drawing.
export function Palette() {
  return <div className="empty-note" />;
}
