// SPDX-License-Identifier: BSD-3-Clause
// What only the look pane needs to know: the stretch of time that is shown, the instant that is open, which tab is in front.
import { create } from 'zustand';
import type { Opened, View } from './plot/timeMap';

export type OpenedInstant = Opened & { run: string; instant: number };
export type Tab = 'instant' | 'events' | 'energy' | 'runs';

export type LookView = {
  view: View | null; // null: the whole run
  opened: OpenedInstant | null;
  hover: { time: number; row: number | null } | null; // under the pointer
  tab: Tab;
  isTreeOpen: boolean;
  isSideOpen: boolean;
  kept: ReadonlySet<string>; // runs that the next one does not replace
  instantTotal: number; // of the current run
  recordingVersion: number; // counts what came of samples
};

export const useLookView = create<LookView>()(() => ({
  view: null, opened: null, hover: null, tab: 'instant', isTreeOpen: true, isSideOpen: true, kept: new Set<string>(), instantTotal: 0, recordingVersion: 0,
}));

export const setLookView = useLookView.setState;
