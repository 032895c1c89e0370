// SPDX-License-Identifier: BSD-3-Clause
// Places in ascending numbers.

// The first index of `begin` to `end` whose number is not less than `value`; `end` when there is none.
export const firstNotBelow = (numbers: ArrayLike<number>, value: number, begin: number, end: number): number => {
  while (begin < end) {
    const middle = (begin + end) >>> 1;
    if ((numbers[middle] as number) < value) begin = middle + 1;
    else end = middle;
  }
  return begin;
};

// The first index whose number is greater than `value`.
export const firstAbove = (numbers: ArrayLike<number>, value: number, begin: number, end: number): number => {
  while (begin < end) {
    const middle = (begin + end) >>> 1;
    if ((numbers[middle] as number) <= value) begin = middle + 1;
    else end = middle;
  }
  return begin;
};
