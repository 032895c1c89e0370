// SPDX-License-Identifier: BSD-3-Clause
// The instants of a run, page by page: a run may have twenty thousand of them, and few are looked at.
import { call } from '../../api';
import type { Instant } from '../../protocol';

const page = 100;

export class Instants {
  readonly loaded: Instant[] = []; // with holes
  total = 0;
  private readonly asked = new Map<number, Promise<void>>();

  constructor(readonly run: string, private readonly onLoad: () => void) {}

  // One instant; null when there is none of that index.
  async at(index: number): Promise<Instant | null> {
    if (index < 0) return null;
    if (this.loaded[index] === undefined) await this.load(Math.floor(index / page));
    return this.loaded[index] ?? null;
  }

  // Sees to it that those from `first` on are there.
  async need(first: number, count: number): Promise<void> {
    const pages: Promise<void>[] = [];
    for (let index = Math.floor(Math.max(first, 0) / page); index * page < first + count; index++) {
      const hasAll = this.loaded[Math.min((index + 1) * page, this.total) - 1] !== undefined;
      if (!hasAll || this.total === 0) pages.push(this.load(index));
    }
    await Promise.all(pages);
  }

  // The run goes on: there are more of them.
  async refresh(): Promise<void> {
    const last = Math.floor(Math.max(this.total - 1, 0) / page);
    await this.asked.get(last); // that answer may be older than what is new
    await this.load(last);
  }

  // The last instant that is not behind `time`; -1 when all are.
  async before(time: number): Promise<number> {
    if (this.total === 0) await this.refresh();
    let [begin, end] = [0, this.total];
    while (begin < end) {
      const middle = (begin + end) >>> 1;
      const instant = await this.at(middle);
      if (instant === null) return begin - 1;
      if (instant.time <= time) begin = middle + 1;
      else end = middle;
    }
    return begin - 1;
  }

  private load(index: number): Promise<void> {
    const known = this.asked.get(index);
    if (known !== undefined) return known;
    const promise = this.fetch(index).finally(() => this.asked.delete(index));
    this.asked.set(index, promise);
    return promise;
  }

  private async fetch(index: number): Promise<void> {
    const answer = await call('instants', { run: this.run, first: index * page, count: page });
    for (const [offset, instant] of answer.instants.entries()) this.loaded[index * page + offset] = instant;
    this.total = answer.total;
    this.onLoad();
  }
}
