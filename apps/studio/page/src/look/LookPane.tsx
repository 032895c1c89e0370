// SPDX-License-Identifier: BSD-3-Clause
// Plots, instants, energies: what a run was.
export function LookPane() {
  return <div className="empty-note" />;
}
