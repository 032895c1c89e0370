// SPDX-License-Identifier: BSD-3-Clause
// Parameters that are tried by sliders. Stands below the inspector.
export function Sliders() {
  return <div className="empty-note" />;
}
