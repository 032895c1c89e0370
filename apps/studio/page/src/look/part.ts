// SPDX-License-Identifier: BSD-3-Clause
// Runs and what is seen of them: their part of the store.
import type { Part } from '../store';
import { cursorActions } from './cursor';
import { startEngine } from './engine';
import { plotActions } from './plotting';
import { runActions } from './running';

export const lookPart: Part = (set, get) => {
  const engine = startEngine(set, get);
  const { resetSettings, ...running } = runActions(engine);
  engine.resetSettings = resetSettings;
  return {
    settings: {},
    runs: [],
    current: null,
    hidden: new Set<string>(),
    panes: [],
    cursor: null,
    instants: [],
    shownValues: true,
    shownPower: false,
    ...running,
    ...plotActions(engine),
    ...cursorActions(engine),
  };
};
