// SPDX-License-Identifier: BSD-3-Clause
// Moving in time by keys and buttons.
import { useStudio } from '../parts';
import { lookEngine } from './engine';
import { viewOrWhole } from './plot/Overlay';
import { within, zoomed, type View } from './plot/timeMap';
import { wholeOf } from './plot/useShown';
import { setLookView, useLookView } from './view';

const stepsOfView = 200; // how many steps of the cursor lead through what is shown, where rows are dense

const currentRecording = () => lookEngine().recordings.get(useStudio.getState().current ?? '');

const wholeTime = (): View => {
  const { runs } = useStudio.getState();
  return wholeOf(runs.flatMap((info) => {
    const recording = lookEngine().recordings.get(info.run);
    return recording === null ? [] : [{ info, recording, isCurrent: false }];
  }));
};
const shownTime = (): View => useLookView.getState().view ?? wholeTime();

// In an opened instant from row to row; else from row to row or, where rows are dense, from place to place.
export const moveCursor = (steps: number): void => {
  const studio = useStudio.getState();
  const grid = currentRecording()?.grid;
  if (grid === undefined || grid.count === 0) return;
  const { opened } = useLookView.getState();
  const view = shownTime();
  if (studio.cursor === null) return studio.setCursorTime(view.from);
  if (opened !== null) return studio.setCursorRow(studio.cursor.row + Math.sign(steps));
  const time = studio.cursor.time + (steps * (view.to - view.from)) / stepsOfView;
  const row = Math.min(Math.max(grid.rowAt(time), 0), grid.count - 1);
  const next = studio.cursor.row + Math.sign(steps);
  const isFar = Math.abs(row - studio.cursor.row) >= 1 && Math.sign(row - studio.cursor.row) === Math.sign(steps);
  const target = Math.min(Math.max(isFar ? row : next, 0), grid.count - 1);
  // an event on the way is not jumped over
  const { begin, end } = grid.groupsWithin(Math.min(studio.cursor.time, grid.times[target] as number), Math.max(studio.cursor.time, grid.times[target] as number));
  for (let group = begin; group < end; group++) if ((grid.times[grid.groupFirst[group] as number] as number) !== studio.cursor.time) return goToEvent(Math.sign(steps));
  if (grid.times[target] === studio.cursor.time && target !== studio.cursor.row) return goToEvent(0);
  studio.setCursorRow(target);
};

// To the next event (1), the one before (-1), or that at the cursor (0), and opens it.
export const goToEvent = (direction: number): void => {
  const studio = useStudio.getState();
  const instants = lookEngine().instants();
  if (instants === null) return;
  const { opened } = useLookView.getState();
  const go = (index: number) => {
    if (index < 0 || index >= instants.total) return;
    studio.setCursorInstant(index);
    setLookView({ tab: 'instant', isSideOpen: true });
    void instants.at(index).then((instant) => instant && bringIntoView(instant.time));
  };
  if (opened !== null && direction !== 0) return go(opened.instant + direction);
  const time = studio.cursor?.time ?? -Infinity;
  void instants.before(time).then(async (index) => {
    const instant = await instants.at(index);
    // one that is here, but not open, is opened first
    go(direction > 0 && instant?.time !== time ? index + 1 : index);
  }).catch(() => undefined);
};

// Moves the view so that the time is seen.
export const bringIntoView = (time: number): void => {
  const { view } = useLookView.getState();
  if (view === null || (time >= view.from && time <= view.to)) return;
  const length = view.to - view.from;
  setLookView({ view: within({ from: time - length / 2, to: time + length / 2 }, wholeTime()) });
};

// At the cursor when it is seen, else in the middle.
export const zoom = (factor: number): void => {
  const [view, whole] = [shownTime(), wholeTime()];
  const cursor = useStudio.getState().cursor?.time;
  const centre = cursor !== undefined && cursor >= view.from && cursor <= view.to ? cursor : (view.from + view.to) / 2;
  setLookView({ view: viewOrWhole(zoomed(view, whole, centre, factor), whole) });
};
