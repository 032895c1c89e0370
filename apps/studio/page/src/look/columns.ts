// SPDX-License-Identifier: BSD-3-Clause
// Columns of a run as people choose among them: which are curves and which are lanes, which belong on one axis, which are shown at first.
import type { Column, RunInfo } from '../protocol';
import type { Pane } from '../store';

export const isLane = (column: Column | undefined): boolean => column !== undefined && column.kind !== 'number';

export const columnOf = (run: RunInfo | null | undefined, name: string): Column | undefined => run?.columns.find((column) => column.name === name);

// The first run that has the column tells what it is.
export const columnOfAny = (runs: RunInfo[], name: string): Column | undefined => {
  for (const run of runs) {
    const column = columnOf(run, name);
    if (column !== undefined) return column;
  }
  return undefined;
};

// "bullet" of "bullet.p", "energy(bullet)"; what a column belongs to.
export const ownerOf = (name: string): string => {
  const call = /^\w+\((.*)\)$/.exec(name);
  const inner = call?.[1] ?? name;
  const dot = inner.lastIndexOf('.');
  return dot > 0 ? inner.slice(0, dot) : inner;
};

const mostPanes = 2;
const mostCurves = 8;
const mostLanes = 16;

// What a new run shows before anybody has chosen: what is stored, then the signals, one pane for each unit; and the junctions that switch.
export const usualPanes = (columns: Column[]): Pane[] => {
  const panes: Pane[] = [];
  const byUnit = new Map<string, string[]>();
  for (const group of ['stored', 'signal'] as const)
    for (const column of columns) {
      if (column.group !== group || column.kind !== 'number') continue;
      const key = column.unit || group;
      byUnit.set(key, [...(byUnit.get(key) ?? []), column.name]);
    }
  for (const names of [...byUnit.values()].slice(0, mostPanes)) panes.push({ id: panes.length + 1, curves: names.slice(0, mostCurves).map((column) => ({ column })) });
  const lanes = columns.filter((column) => column.group === 'junction').slice(0, mostLanes);
  if (lanes.length > 0) panes.push({ id: panes.length + 1, curves: lanes.map((column) => ({ column: column.name })) });
  return panes;
};

// Where a column that nobody has placed belongs: the pane of its unit, or the lanes; null: a new pane.
export const paneFor = (panes: Pane[], runs: RunInfo[], column: Column): number | null => {
  const fits = (pane: Pane) =>
    pane.curves.length > 0 &&
    pane.curves.every(({ column: name }) => {
      const other = columnOfAny(runs, name);
      return other !== undefined && (isLane(column) ? isLane(other) : !isLane(other) && other.unit === column.unit && column.unit !== '');
    });
  return panes.find(fits)?.id ?? null;
};

export const shownColumns = (panes: Pane[]): string[] => [...new Set(panes.flatMap((pane) => pane.curves.map((curve) => curve.column)))];

export type ColumnGroup = { title: string; key: string; columns: Column[]; groups: ColumnGroup[] };

const groupTitles: [Column['group'], string][] = [
  ['stored', 'Stored quantities'], ['signal', 'Signals'], ['junction', 'Junctions'], ['machine', 'Machines'], ['energy', 'Energies'], ['asked', 'Asked for'],
];

// The tree one chooses from; efforts and flows stand together, by what they belong to.
export const treeOf = (columns: Column[], search: string): ColumnGroup[] => {
  const words = search.trim().toLowerCase().split(/\s+/).filter((word) => word !== '');
  const found = columns.filter((column) => words.every((word) => `${column.name} ${column.unit}`.toLowerCase().includes(word)));
  const groups = groupTitles
    .map(([key, title]) => ({ title, key, columns: found.filter((column) => column.group === key), groups: [] }))
    .filter((group) => group.columns.length > 0);
  const power = found.filter((column) => column.group === 'effort' || column.group === 'flow');
  if (power.length === 0) return groups;
  const owners = [...new Set(power.map((column) => ownerOf(column.name)))];
  const bySymbol = owners.map((owner) => ({ title: owner, key: `power ${owner}`, columns: power.filter((column) => ownerOf(column.name) === owner), groups: [] }));
  return [...groups, { title: 'Efforts and flows', key: 'power', columns: [], groups: bySymbol }];
};
