// SPDX-License-Identifier: BSD-3-Clause
// Panes one below the other over one axis of time, which opens up at an instant; lanes; the cursor through all of them.
import { useMemo, type DragEvent } from 'react';
import { useStudio } from '../../parts';
import type { Pane } from '../../store';
import { columnOfAny, isLane } from '../columns';
import { stampText } from '../number';
import { useLookView } from '../view';
import { Drawing } from './Drawing';
import { Frame, frameBottom, frameTop } from './Frame';
import { laneShapes } from './lanes';
import { Legend, RunKey } from './Legend';
import { Overlay } from './Overlay';
import { curvesOf, isColouredByRun, panePicture, sectionBands, timeAxisShapes, type ShownRun } from './picture';
import { SectionHead } from './SectionHead';
import { TimeMap, type View } from './timeMap';
import { useShownRuns, wholeOf } from './useShown';
import { useSize } from './useSize';

export const gutter = 76; // left of the paper, where axes and lanes have their names
export const rightRoom = 18;
export const laneHeight = 18;
export const laneGap = 3;
export const axisHeight = 28;
const legendHeight = 22;
const leastPane = 96;

export const columnDrag = 'application/x-hybrsim-column'; // what a dragged column is called

export function Plots() {
  const [element, size] = useSize<HTMLDivElement>();
  const runs = useShownRuns();
  const panes = useStudio((state) => state.panes);
  const infos = useStudio((state) => state.runs);
  const view = useLookView((state) => state.view);
  const opened = useLookView((state) => state.opened);
  const current = useStudio((state) => state.current);
  const whole = wholeOf(runs);
  const map = useMemo(
    () => new TimeMap(view ?? { from: whole.from, to: whole.to }, gutter, Math.max(size.width - rightRoom, gutter + 40), opened?.run === current ? opened : null),
    [view, whole.from, whole.to, size.width, opened, current],
  );
  const isLanes = (pane: Pane) => pane.curves.every((curve) => isLane(columnOfAny(infos, curve.column)));
  const curvePanes = panes.filter((pane) => !isLanes(pane));
  const lanes = panes.filter(isLanes).flatMap((pane) => pane.curves.map((curve) => curve.column));
  const hasHead = map.section !== null;
  const lanesHeight = lanes.length > 0 ? lanes.length * (laneHeight + laneGap) + laneGap : 0;
  const room = size.height - lanesHeight - axisHeight - (hasHead ? 20 : 0) - (runs.length > 1 ? 22 : 0);
  const paneHeight = Math.max(curvePanes.length > 0 ? room / curvePanes.length : 0, leastPane);
  const byRun = isColouredByRun(curvePanes, runs);
  return (
    <div className="plots" ref={element}>
      {size.width > 0 && (
        <Overlay map={map} whole={whole} runs={runs}>
          {runs.length > 1 && <RunKey runs={runs} isColoured={byRun} />}
          {hasHead && <SectionHead map={map} />}
          {curvePanes.map((pane) => <CurvePane key={pane.id} pane={pane} runs={runs} byRun={byRun} map={map} width={size.width} height={Math.floor(paneHeight)} />)}
          {curvePanes.length === 0 && <p className="plot-empty">Click a column in the list on the left, or drag it here, to see its curve.</p>}
          <Lanes names={lanes} runs={runs} map={map} width={size.width} />
          <TimeAxis map={map} runs={runs} width={size.width} />
        </Overlay>
      )}
    </div>
  );
}

// Takes columns that are dragged onto it.
export const useColumnDrop = (pane: number) => {
  const plot = useStudio((state) => state.plot);
  return {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes(columnDrag)) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const column = event.dataTransfer.getData(columnDrag);
      if (column === '') return;
      event.preventDefault();
      event.stopPropagation();
      plot(column, pane);
    },
  };
};

function CurvePane({ pane, runs, byRun, map, width, height }: { pane: Pane; runs: ShownRun[]; byRun: boolean; map: TimeMap; width: number; height: number }) {
  const drop = useColumnDrop(pane.id);
  const curves = useMemo(() => curvesOf(pane, runs, byRun), [pane, runs, byRun]);
  const frame = height - legendHeight;
  const picture = useMemo(() => panePicture(curves, map, frameTop, frame - frameBottom), [curves, map, frame]);
  return (
    <section className="plot-pane" {...drop} aria-label={`Plot of ${pane.curves.map((curve) => curve.column).join(', ')}`}>
      <div className="plot-head">
        <span className="caption" style={{ width: gutter }}>{picture.caption}</span>
        <LegendAtCursor curves={curves} />
      </div>
      <Frame picture={picture} map={map} width={width} height={frame} />
    </section>
  );
}

function LegendAtCursor({ curves }: { curves: ReturnType<typeof curvesOf> }) {
  const hover = useLookView((state) => state.hover);
  const cursor = useStudio((state) => state.cursor);
  return <Legend curves={[...curves].sort((a, b) => Number(b.run.isCurrent) - Number(a.run.isCurrent))} place={hover ?? (cursor && { time: cursor.time, row: cursor.row })} />;
}

function Lanes({ names, runs, map, width }: { names: string[]; runs: ShownRun[]; map: TimeMap; width: number }) {
  const run = runs.find((shown) => shown.isCurrent);
  const unplot = useStudio((state) => state.unplot);
  const height = names.length * (laneHeight + laneGap) + laneGap;
  const shapes = useMemo(() => lanesShapes(names, run, map, laneGap), [names.join('\n'), run, map]); // eslint-disable-line
  if (names.length === 0) return null;
  return (
    <section className="plot-lanes" style={{ height }} aria-label="What is switched">
      <Drawing shapes={shapes} width={width} height={height} />
      {names.map((name, index) => (
        <span key={name} className="lane-name" style={{ top: laneGap + index * (laneHeight + laneGap), width: gutter - 6, height: laneHeight, lineHeight: `${laneHeight}px` }} title={name}>
          <button className="remove" title={`Show ${name} no more`} aria-label={`Show ${name} no more`} onClick={() => unplot(name)}>×</button>
          {name}
        </span>
      ))}
    </section>
  );
}

export const lanesShapes = (names: string[], run: ShownRun | undefined, map: TimeMap, top: number) =>
  names.flatMap((name, index) => {
    const column = run?.info.columns.find((other) => other.name === name);
    const recorded = run?.recording.columns.get(name);
    return column && recorded ? laneShapes(recorded, column, map, top + index * (laneHeight + laneGap), laneHeight) : [];
  });

// Times at which the current run has several rows: there something happened.
export const eventTimesOf = (run: ShownRun | undefined, view: View): number[] => {
  const grid = run?.recording.grid;
  if (grid === undefined) return [];
  const { begin, end } = grid.groupsWithin(view.from, view.to);
  const step = Math.max(1, Math.floor((end - begin) / 5000));
  const times: number[] = [];
  for (let group = begin; group < end; group += step) times.push(grid.times[grid.groupFirst[group] as number] as number);
  return times;
};

function TimeAxis({ map, runs, width }: { map: TimeMap; runs: ShownRun[]; width: number }) {
  const run = runs.find((shown) => shown.isCurrent);
  const opened = useLookView((state) => state.opened);
  const instant = useStudio((state) => (opened === null ? undefined : state.instants[opened.instant]));
  const shapes = useMemo(() => {
    const kinds = run?.recording.grid.kinds;
    const stamps = instant?.rows.map((row) => stampText('t', row.eps, row.n)) ?? [];
    return [...sectionBands(map, (row) => kinds?.[row] ?? 0, 6, axisHeight), ...timeAxisShapes(map, 6, eventTimesOf(run, map.view), stamps)];
  }, [map, run, instant]);
  return (
    <div className="plot-axis" style={{ height: axisHeight }}>
      <Drawing shapes={shapes} width={width} height={axisHeight} />
      <span className="axis-caption" style={{ width: gutter - 20 }}>time [s]</span>
    </div>
  );
}
