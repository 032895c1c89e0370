// SPDX-License-Identifier: BSD-3-Clause
// Which columns are shown, and in which pane.
import type { Column, RunInfo } from '../protocol';
import type { Pane, StudioState } from '../store';
import { columnOfAny, isLane, paneFor } from './columns';
import type { LookEngine } from './engine';

export const plotActions = (engine: LookEngine): Pick<StudioState, 'plot' | 'unplot'> => ({
  plot: (column, pane) => {
    const { panes, runs, current, run } = engine.get();
    const isShown = panes.some((other) => (pane === undefined || other.id === pane) && other.curves.some((curve) => curve.column === column));
    if (isShown) return;
    const known = columnOfAny(runs, column);
    engine.set({ panes: withColumn(panes, runs, column, known, pane) });
    engine.wantShown();
    if (known !== undefined) return;
    engine.extraColumns = [...engine.extraColumns, column]; // an expression: the next run has it
    if (current !== null) void run();
  },
  unplot: (column) => {
    engine.set((state) => ({
      panes: state.panes.map((pane) => ({ ...pane, curves: pane.curves.filter((curve) => curve.column !== column) })).filter((pane) => pane.curves.length > 0),
    }));
    engine.extraColumns = engine.extraColumns.filter((name) => name !== column);
    engine.wantShown();
  },
});

// In the pane that is named, else where it belongs, else in a pane of its own.
export const withColumn = (panes: Pane[], runs: RunInfo[], column: string, known: Column | undefined, pane: number | undefined): Pane[] => {
  const place = pane ?? (known === undefined ? null : paneFor(panes, runs, known));
  if (panes.some((other) => other.id === place)) return panes.map((other) => (other.id === place ? { ...other, curves: [...other.curves, { column }] } : other));
  const added = { id: Math.max(0, ...panes.map((other) => other.id)) + 1, curves: [{ column }] };
  const isLanes = (other: Pane) => other.curves.every((curve) => isLane(columnOfAny(runs, curve.column)));
  // lanes stay below the curves
  return isLane(known) ? [...panes, added] : [...panes.filter((other) => !isLanes(other)), added, ...panes.filter(isLanes)];
};
