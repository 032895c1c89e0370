// SPDX-License-Identifier: BSD-3-Clause
// The parts of what is selected.
export function Inspector() {
  return <div className="empty-note" />;
}
