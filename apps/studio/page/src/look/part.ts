// SPDX-License-Identifier: BSD-3-Clause
// Runs and what is seen of them: their part of the store.
import type { Part } from '../store';

export const lookPart: Part = () => ({
  settings: {},
  runs: [],
  current: null,
  hidden: new Set<string>(),
  panes: [],
  cursor: null,
  instants: [],
  shownValues: true,
  shownPower: false,
  run: () => Promise.resolve(),
  command: () => Promise.resolve(),
  forget: () => Promise.resolve(),
  onProgress: () => undefined,
  setSetting: () => undefined,
  plot: () => undefined,
  unplot: () => undefined,
  setCursorTime: () => undefined,
  setCursorRow: () => undefined,
  setCursorInstant: () => undefined,
  clearCursor: () => undefined,
});
