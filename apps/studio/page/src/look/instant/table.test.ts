// SPDX-License-Identifier: BSD-3-Clause
// The tables of Mosterman, Simko and Zander (2013), as the instant view shows them.
import { describe, expect, it } from 'vitest';
import { columns, instantOf, rowsOf, valueOf } from '../../fixtures/cradle';
import { linesOf, switchedIn, tableColumns, worthTelling } from './table';

const tableFor = (limit: number) => {
  const instant = instantOf(limit);
  const rows = rowsOf(limit).slice(instant.rows[0]?.row ?? 0).slice(0, instant.rows.length);
  const shown = tableColumns(columns, []);
  const values = new Map(shown.map((column) => [column.name, rows.map((row) => valueOf(row, column.name))]));
  return { instant, lines: linesOf(shown, values, rows.length) };
};
const textOf = (limit: number) => tableFor(limit).lines.map((line) => [line.name, ...line.cells.map((cell) => cell.text)].join(' '));

describe('the table of the impact of the cradle', () => {
  it('is Table 1 where the contact holds', () => {
    expect(textOf(0.95)).toEqual(['F13 free touching free', 'F23 stuck stuck stuck', 'body1.p 1 −0.2 −0.2', 'body2.p 0 0.6 0.6', 'body3.p 0 0.6 0.6']);
  });
  it('is Table 2 where it breaks', () => {
    expect(textOf(0.5)).toEqual(['F13 free touching touching free', 'F23 stuck stuck sliding sliding', 'body1.p 1 −0.2 0.1 0.1', 'body2.p 0 0.6 0 0', 'body3.p 0 0.6 0.9 0.9']);
  });
  it('tells what is on, and what is new in each row', () => {
    const [first, , momentum] = tableFor(0.5).lines;
    expect(first?.cells.map((cell) => cell.isOn)).toEqual([false, true, true, false]);
    expect(momentum?.cells.map((cell) => cell.isChanged)).toEqual([false, true, true, false]);
  });
  it('names the machines that switched', () => {
    expect(switchedIn(instantOf(0.5))).toEqual(['F13', 'F23']);
  });
});

describe('a table of very many lines', () => {
  it('keeps those that changed', () => {
    const line = (name: string, isChanged: boolean) => ({ name, unit: '', sort: 'stored' as const, cells: [], isChanged });
    const { shown, hidden } = worthTelling([line('a', false), line('b', true), line('c', false)], 2);
    expect(shown.map((each) => each.name)).toEqual(['b']);
    expect(hidden).toBe(2);
  });
});
