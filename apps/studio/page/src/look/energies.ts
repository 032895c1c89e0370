// SPDX-License-Identifier: BSD-3-Clause
// Bars of energy: lengths as shares of the longest one.
import type { Column } from '../protocol';
import { ownerOf } from './columns';

export type Bar = { name: string; value: number; before: number | null; share: number; ghost: number | null; isTotal: boolean };

export const barsOf = (columns: Column[], valueOf: (name: string) => number, beforeOf: ((name: string) => number) | null): Bar[] => {
  const values = columns.map(({ name }) => ({ name: ownerOf(name), value: valueOf(name), before: beforeOf === null ? null : beforeOf(name), isTotal: false }));
  const sum = (numbers: (number | null)[]) => numbers.reduce<number>((total, each) => total + (each ?? 0), 0);
  const all = [...values, { name: '', value: sum(values.map((each) => each.value)), before: beforeOf === null ? null : sum(values.map((each) => each.before)), isTotal: true }];
  const longest = Math.max(...all.flatMap((each) => [each.value, each.before ?? 0]).filter(Number.isFinite), 0);
  const shareOf = (value: number) => (longest > 0 && value > 0 ? value / longest : 0);
  return all.map((each) => ({ ...each, share: shareOf(each.value), ghost: each.before === null ? null : shareOf(each.before) }));
};
