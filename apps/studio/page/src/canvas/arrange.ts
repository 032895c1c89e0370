// SPDX-License-Identifier: BSD-3-Clause
// Several symbols put in line or at equal distances.
import type { Placement } from '../protocol';

export type Arrangement = 'row' | 'column' | 'left' | 'right' | 'top' | 'bottom' | 'spread-row' | 'spread-column';
export type Placed = { name: string; x: number; y: number; width: number; height: number };

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

// 'row': one height for all centres; 'column': one upright line; 'left' ...: that side of all boxes; 'spread': equal distances of centres.
export const arranged = (symbols: Placed[], arrangement: Arrangement): Placement[] => {
  if (symbols.length === 0) return [];
  const place = (of: (symbol: Placed) => { x?: number; y?: number }): Placement[] =>
    symbols.map((symbol) => ({ name: symbol.name, x: symbol.x, y: symbol.y, ...of(symbol) }));
  switch (arrangement) {
    case 'row': {
      const y = Math.round(mean(symbols.map((symbol) => symbol.y)) / 10) * 10;
      return place(() => ({ y }));
    }
    case 'column': {
      const x = Math.round(mean(symbols.map((symbol) => symbol.x)) / 10) * 10;
      return place(() => ({ x }));
    }
    case 'left': {
      const left = Math.min(...symbols.map((symbol) => symbol.x - symbol.width / 2));
      return place((symbol) => ({ x: left + symbol.width / 2 }));
    }
    case 'right': {
      const right = Math.max(...symbols.map((symbol) => symbol.x + symbol.width / 2));
      return place((symbol) => ({ x: right - symbol.width / 2 }));
    }
    case 'top': {
      const top = Math.min(...symbols.map((symbol) => symbol.y - symbol.height / 2));
      return place((symbol) => ({ y: top + symbol.height / 2 }));
    }
    case 'bottom': {
      const bottom = Math.max(...symbols.map((symbol) => symbol.y + symbol.height / 2));
      return place((symbol) => ({ y: bottom - symbol.height / 2 }));
    }
    case 'spread-row':
      return spread(symbols, 'x');
    case 'spread-column':
      return spread(symbols, 'y');
  }
};

const spread = (symbols: Placed[], axis: 'x' | 'y'): Placement[] => {
  const ordered = [...symbols].sort((one, other) => one[axis] - other[axis] || (one.name < other.name ? -1 : 1));
  const first = ordered[0]![axis];
  const last = ordered[ordered.length - 1]![axis];
  const step = ordered.length > 1 ? (last - first) / (ordered.length - 1) : 0;
  return ordered.map((symbol, at) => ({ name: symbol.name, x: symbol.x, y: symbol.y, [axis]: Math.round(first + at * step) }));
};
