// SPDX-License-Identifier: BSD-3-Clause
// Whether a sum is the same before and after: to a part in a thousand million of what it is made of.
export const isConserved = (sum: { before: number; after: number }): boolean =>
  Math.abs(sum.after - sum.before) <= 1e-9 * Math.max(Math.abs(sum.before), Math.abs(sum.after)) || (Math.abs(sum.before) < 1e-300 && Math.abs(sum.after) < 1e-300);
