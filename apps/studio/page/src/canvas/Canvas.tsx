// SPDX-License-Identifier: BSD-3-Clause
// The drawing of the level that is shown.
export function Canvas() {
  return <div className="empty-note" />;
}
