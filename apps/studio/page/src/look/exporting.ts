// SPDX-License-Identifier: BSD-3-Clause
// Takes plots and numbers out: the plots as SVG, drawn anew from the numbers, and tables from the server.
import { callBlob, sentenceOf } from '../api';
import { useStudio } from '../parts';
import { stemOf } from '../shell/exports';
import type { Pane } from '../store';
import { columnOfAny, isLane } from './columns';
import { stampText } from './number';
import { lookEngine } from './engine';
import { readPalette } from './plot/palette';
import { curvesOf, isColouredByRun, paneFrameShapes, panePicture, textSize, timeAxisShapes, type ShownCurve, type ShownRun } from './plot/picture';
import { eventTimesOf, laneGap, laneHeight, lanesShapes } from './plot/Plots';
import { wordsWidth, type Palette, type Shape } from './plot/shapes';
import { writeSvg } from './plot/svg';
import { TimeMap, type View } from './plot/timeMap';
import { wholeOf } from './plot/useShown';
import { useLookView } from './view';

const width = 820;
const left = 84;
const right = width - 24;
const paneHeight = 190;

// One file with all panes, lanes and the axis. An opened instant stays open.
export const plotsAsSvg = (title: string, panes: Pane[], runs: ShownRun[], view: View, opened: ConstructorParameters<typeof TimeMap>[3], palette: Palette, stamps: string[] = []): string => {
  const infos = runs.map((run) => run.info);
  const map = new TimeMap(view, left, right, opened);
  const isLanes = (pane: Pane) => pane.curves.every((curve) => isLane(columnOfAny(infos, curve.column)));
  const curvePanes = panes.filter((pane) => !isLanes(pane));
  const shapes: Shape[] = [{ kind: 'words', x: (left + right) / 2, y: 26, text: title, size: 15, anchor: 'middle', colour: '--text', isBold: true }];
  let y = 38;
  for (const pane of curvePanes) {
    const curves = curvesOf(pane, runs, isColouredByRun(curvePanes, runs));
    const top = y + 24;
    const picture = panePicture(curves, map, top, top + paneHeight);
    shapes.push(...legendShapes(curves, runs.length > 1, y + 14));
    if (picture.caption !== '') shapes.push({ kind: 'words', x: left - 8, y: y + 14, text: `[${picture.caption}]`, size: textSize, anchor: 'end', colour: '--text-soft' });
    shapes.push(...picture.below, ...paneFrameShapes(picture, map, top, top + paneHeight), ...picture.above);
    y = top + paneHeight + 12;
  }
  const lanes = panes.filter(isLanes).flatMap((pane) => pane.curves.map((curve) => curve.column));
  const current = runs.find((run) => run.isCurrent);
  shapes.push(...lanesShapes(lanes, current, map, y));
  for (const [index, name] of lanes.entries())
    shapes.push({ kind: 'words', x: left - 8, y: y + index * (laneHeight + laneGap) + laneHeight / 2 + 4, text: name, size: textSize, anchor: 'end', colour: '--text' });
  y += lanes.length * (laneHeight + laneGap) + 6;
  shapes.push(...timeAxisShapes(map, y, eventTimesOf(current, view), stamps));
  shapes.push({ kind: 'words', x: (left + right) / 2, y: y + 34, text: 'time [s]', size: textSize, anchor: 'middle', colour: '--text-soft' });
  return writeSvg(width, y + 46, shapes, palette, title);
};

const legendShapes = (curves: ShownCurve[], hasManyRuns: boolean, y: number): Shape[] => {
  const shapes: Shape[] = [];
  let x = left;
  for (const curve of curves) {
    const text = hasManyRuns ? `${curve.name} (${curve.run.info.label || 'as written'})` : curve.name;
    const needed = 34 + wordsWidth(text, textSize) + 14;
    if (x + needed > right && x > left) break; // the rest is told by the colours of the first
    shapes.push({ kind: 'line', points: [x, y - 4, x + 26, y - 4], colour: curve.style.colour, width: 1.8, dash: curve.style.dash });
    shapes.push({ kind: 'words', x: x + 32, y, text, size: textSize, anchor: 'start', colour: '--text' });
    x += needed;
  }
  return shapes;
};

const download = (name: string, blob: Blob): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

const shownRuns = (): ShownRun[] => {
  const { runs, hidden, current } = useStudio.getState();
  return [...runs].reverse().flatMap((info) => {
    const recording = lookEngine().recordings.get(info.run);
    return recording === null || hidden.has(info.run) ? [] : [{ info, recording, isCurrent: info.run === current }];
  });
};

// After the file, as all that leaves the page is called.
const nameOf = (): string => stemOf(useStudio.getState().path ?? '') || 'run';

export const saveSvg = (): void => {
  const runs = shownRuns();
  const { view, opened } = useLookView.getState();
  const instant = opened === null ? undefined : useStudio.getState().instants[opened.instant];
  const stamps = instant?.rows.map((row) => stampText('t', row.eps, row.n));
  const text = plotsAsSvg(nameOf(), useStudio.getState().panes, runs, view ?? wholeOf(runs), opened, readPalette(), stamps);
  download(`${nameOf()}-plots.svg`, new Blob([text], { type: 'image/svg+xml' }));
};

export const saveTable = async (format: 'csv' | 'events'): Promise<void> => {
  const { current, notify } = useStudio.getState();
  if (current === null) return;
  try {
    download(format === 'csv' ? `${nameOf()}.csv` : `${nameOf()}-events.csv`, await callBlob('table', { run: current, format }));
  } catch (error) {
    notify('error', sentenceOf(error));
  }
};

