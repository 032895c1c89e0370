// SPDX-License-Identifier: BSD-3-Clause
// The rows that columns share: their times, what sort of row each is, and where several rows have one time.
import { firstAbove, firstNotBelow } from './search';

// as a column of samples tells them; see HbgRowKind in include/hybrsim/run.h
export const rowKinds = { sample: 0, before: 1, mythical: 2, pinnacle: 3, continuous: 4 } as const;

export class Grid {
  times = new Float64Array(0); // longer than `count`
  count = 0;
  kinds: Uint8Array | null = null;
  // stretches of rows of one time: their first rows, and how many rows each has
  readonly groupFirst: number[] = [];
  readonly groupCount: number[] = [];

  append(times: Float64Array, kinds: Float64Array | null): void {
    const count = this.count + times.length;
    this.times = grown(this.times, this.count, count);
    this.times.set(times, this.count);
    if (kinds !== null) this.appendKinds(kinds, count);
    const begin = this.count;
    this.count = count;
    this.findGroups(begin);
  }

  isReal(row: number): boolean {
    return this.kinds === null || this.kinds[row] !== rowKinds.mythical;
  }

  // Whether another row has the same time.
  isOneOfSeveral(row: number): boolean {
    return row < this.count && (this.times[row] === this.times[row - 1] || (row + 1 < this.count && this.times[row] === this.times[row + 1]));
  }

  // The last row that is not behind `time`; -1 when all are.
  rowAt(time: number): number {
    return firstAbove(this.times, time, 0, this.count) - 1;
  }

  // Indices of the groups whose times lie in the view.
  groupsWithin(from: number, to: number): { begin: number; end: number } {
    const firstRow = firstNotBelow(this.times, from, 0, this.count);
    const lastRow = firstAbove(this.times, to, 0, this.count);
    const begin = firstNotBelow(this.groupFirst, firstRow, 0, this.groupFirst.length);
    return { begin, end: firstNotBelow(this.groupFirst, lastRow, begin, this.groupFirst.length) };
  }

  // The first and last rows of a group that are not mere inferences.
  realEnds(group: number): { first: number; last: number } {
    let first = this.groupFirst[group] as number;
    let last = first + (this.groupCount[group] as number) - 1;
    while (first < last && !this.isReal(first)) first++;
    while (last > first && !this.isReal(last)) last--;
    return { first, last };
  }

  private appendKinds(kinds: Float64Array, count: number): void {
    const longer = new Uint8Array(Math.max(count, this.times.length));
    if (this.kinds !== null) longer.set(this.kinds.subarray(0, this.count));
    for (let row = 0; row < kinds.length; row++) longer[this.count + row] = kinds[row] as number;
    this.kinds = longer;
  }

  private findGroups(begin: number): void {
    for (let row = Math.max(begin, 1); row < this.count; row++) {
      if (this.times[row] !== this.times[row - 1]) continue;
      const last = this.groupFirst.length - 1;
      const isSame = last >= 0 && (this.groupFirst[last] as number) + (this.groupCount[last] as number) === row;
      if (isSame) this.groupCount[last] = (this.groupCount[last] as number) + 1;
      else {
        this.groupFirst.push(row - 1);
        this.groupCount.push(2);
      }
    }
  }
}

// Room for `needed` numbers, of which `used` are kept.
export const grown = (numbers: Float64Array<ArrayBuffer>, used: number, needed: number): Float64Array<ArrayBuffer> => {
  if (needed <= numbers.length) return numbers;
  const longer = new Float64Array(Math.max(needed, Math.min(2 * numbers.length, needed + 1_000_000)));
  longer.set(numbers.subarray(0, used));
  return longer;
};
