// SPDX-License-Identifier: BSD-3-Clause
// The table of an instant: a column for each of its rows, a line for each junction and quantity, and what is new in each.
import type { Column, Instant } from '../../protocol';
import { numberText } from '../number';
import { stateText } from '../plot/lanes';

export type Cell = { text: string; isOn: boolean | null; isChanged: boolean };
export type Line = { name: string; unit: string; sort: 'machine' | 'stored' | 'plotted'; cells: Cell[]; isChanged: boolean };
export type Values = Map<string, number[]>; // by column, one for each row of the instant

const isSame = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b)) || Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b));

// Which columns the table is made of: what is switched and what is stored, then what else is plotted.
export const tableColumns = (columns: Column[], plotted: string[]): Column[] => {
  const isWanted = (column: Column) => column.group === 'junction' || column.group === 'machine' || column.group === 'stored' || plotted.includes(column.name);
  return columns.filter(isWanted);
};

export const linesOf = (columns: Column[], values: Values, rowCount: number): Line[] => {
  const lines = [...machineLines(columns, values, rowCount)];
  for (const column of columns) {
    const numbers = values.get(column.name);
    if (column.group === 'junction' || column.group === 'machine' || numbers === undefined) continue;
    lines.push(numberLine(column, numbers, rowCount));
  }
  return lines;
};

// A junction and its machine are one line: "touching", shaded while on.
const machineLines = (columns: Column[], values: Values, rowCount: number): Line[] => {
  const machines = columns.filter((column) => column.group === 'machine');
  const machineOf = (name: string) => machines.find((machine) => machine.name === `${name}.state`);
  const junctions = columns.filter((column) => column.group === 'junction');
  const lone = machines.filter((machine) => !junctions.some((junction) => `${junction.name}.state` === machine.name));
  const lineOf = (name: string, shown: Column, isOnBy: Column | null): Line => {
    const numbers = values.get(shown.name) ?? [];
    const on = isOnBy === null ? null : (values.get(isOnBy.name) ?? []);
    const cells = Array.from({ length: rowCount }, (_, row): Cell => {
      const value = numbers[row] ?? NaN;
      return { text: Number.isNaN(value) ? '–' : stateText(shown, value), isOn: on === null ? null : (on[row] ?? 0) > 0, isChanged: row > 0 && !isSame(value, numbers[row - 1] ?? NaN) };
    });
    return { name, unit: '', sort: 'machine', cells, isChanged: cells.some((cell) => cell.isChanged) };
  };
  return [
    ...junctions.map((junction) => lineOf(junction.name, machineOf(junction.name) ?? junction, junction)),
    ...lone.map((machine) => lineOf(machine.name.replace(/\.state$/, ''), machine, null)),
  ];
};

const numberLine = (column: Column, numbers: number[], rowCount: number): Line => {
  const cells = Array.from({ length: rowCount }, (_, row): Cell => {
    const value = numbers[row] ?? NaN;
    const text = column.kind === 'number' ? numberText(value) : stateText(column, value);
    return { text, isOn: null, isChanged: row > 0 && !isSame(value, numbers[row - 1] ?? NaN) };
  });
  return { name: column.name, unit: column.unit, sort: column.group === 'stored' ? 'stored' : 'plotted', cells, isChanged: cells.some((cell) => cell.isChanged) };
};

// Of many lines those that changed; of few all.
export const worthTelling = (lines: Line[], most: number): { shown: Line[]; hidden: number } => {
  if (lines.length <= most) return { shown: lines, hidden: 0 };
  const changed = lines.filter((line) => line.isChanged);
  return { shown: changed.slice(0, most), hidden: lines.length - Math.min(changed.length, most) };
};

// Which machines switched at an instant, in a few words: "F13, F23".
export const switchedIn = (instant: Instant): string[] => [...new Set(instant.rows.flatMap((row) => row.guards.map((guard) => guard.machine)))];
