// SPDX-License-Identifier: BSD-3-Clause
// Run, pause, step, stop; progress. Stands in the top bar.
export function RunControls() {
  return <div className="empty-note" />;
}
