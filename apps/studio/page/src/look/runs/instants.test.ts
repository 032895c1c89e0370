// SPDX-License-Identifier: BSD-3-Clause
import { beforeEach, describe, expect, it } from 'vitest';
import { Instants } from './instants';

let total = 0;
let requests: { first: number; count: number }[] = [];
const timeOf = (index: number) => index / 100;

beforeEach(() => {
  total = 20_000;
  requests = [];
  globalThis.fetch = (_, init) => {
    const { first, count } = JSON.parse(String(init?.body)) as { first: number; count: number };
    requests.push({ first, count });
    const instants = Array.from({ length: Math.max(Math.min(count, total - first), 0) }, (_, offset) => ({ time: timeOf(first + offset), rows: [], hasJump: false }));
    return Promise.resolve(new Response(JSON.stringify({ total, instants })));
  };
});

describe('the instants of a run', () => {
  it('are found by time with few questions, of twenty thousand', async () => {
    const instants = new Instants('run', () => undefined);
    expect(await instants.before(123.456)).toBe(12_345);
    expect(await instants.before(-1)).toBe(-1);
    expect(await instants.before(1e9)).toBe(19_999);
    expect(requests.length).toBeLessThan(30);
  });
  it('are asked for once', async () => {
    const instants = new Instants('run', () => undefined);
    await Promise.all([instants.at(5), instants.at(7), instants.at(99)]);
    await instants.at(50);
    expect(requests).toHaveLength(1);
  });
  it('that came meanwhile are there after asking anew, also when a question was on its way', async () => {
    total = 42;
    const instants = new Instants('run', () => undefined);
    const first = instants.refresh();
    total = 62;
    await Promise.all([first, instants.refresh()]);
    expect(instants.total).toBe(62);
    expect((await instants.at(61))?.time).toBe(timeOf(61));
  });
  it('are loaded page by page for what is in sight', async () => {
    const instants = new Instants('run', () => undefined);
    await instants.refresh();
    await instants.need(10_050, 100);
    expect(instants.loaded[10_149]?.time).toBe(timeOf(10_149));
    expect(instants.loaded[5_000]).toBeUndefined();
    expect(await instants.at(-1)).toBeNull();
    expect(await instants.at(30_000)).toBeNull();
  });
});
