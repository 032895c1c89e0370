// SPDX-License-Identifier: BSD-3-Clause
import type { State } from './layout';

// "joined", "joined2": a name that no state has.
export function freeName(stem: string, states: Pick<State, 'name'>[]): string {
  const taken = new Set(states.map((state) => state.name));
  if (!taken.has(stem)) return stem;
  for (let count = 2; ; count += 1) if (!taken.has(`${stem}${count}`)) return `${stem}${count}`;
}

// "slow" for "charging.slow", when no other state is called so.
export function shortName(path: string, paths: string[]): string {
  const last = path.slice(path.lastIndexOf('.') + 1);
  return paths.some((other) => other !== path && other.slice(other.lastIndexOf('.') + 1) === last) ? path : last;
}
