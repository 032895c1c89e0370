// SPDX-License-Identifier: BSD-3-Clause
// What all parts of the page share. Components read it with useStudio(selector) and change it by its actions; nothing else is shared.
import { create } from 'zustand';
import type {
  CopyAnswer, EditOperation, FolderAnswer, Instant, LookAnswer, RowAnswer, RunInfo, RunProgress, Setting,
} from './protocol';

// A bond of the level: its two symbols, and which of several.
export const bondKey = (bond: { tail: string; head: string; lane: number }): string => `${bond.tail} -> ${bond.head} #${bond.lane}`;

export type Selection = { symbols: string[]; bonds: string[] }; // names; bondKey()

// What the drawing shows instead of the initial mode: a row of a run.
export type Cursor = {
  run: string;
  row: number;
  time: number;
  instant: number; // index of the instant it is in, -1: between instants
  answer: RowAnswer | null; // null while it is asked for
};

export type Notice = { id: number; kind: 'error' | 'warning' | 'info'; text: string; action?: { title: string; run: () => void } };

// What is seen of a run in one pane of plots: columns of any runs on one axis.
export type Pane = { id: number; curves: { column: string }[] };

export type StudioState = {
  // the folder and the open document (src/document/)
  folder: FolderAnswer | null;
  path: string | null; // of the open document; null: the start page
  version: number; // of the text in the editor, as the server knows it
  isDirty: boolean;
  isReadOnly: boolean;
  look: LookAnswer | null; // of the latest text that was looked at
  isLookCurrent: boolean; // false while the text has changed since
  level: string; // that is shown
  mode: string; // chosen by hand, '' the initial one; the cursor's mode goes before it
  selection: Selection;
  clipboard: string;
  notices: Notice[];

  // runs and looking (src/look/)
  settings: Record<string, string>; // parameters that sliders have changed
  runs: RunInfo[]; // newest first; kept ones stay
  current: string | null; // the run that the cursor moves in
  hidden: Set<string>; // runs that are not plotted
  panes: Pane[];
  cursor: Cursor | null;
  instants: Instant[]; // of the current run, as far as they are loaded
  shownValues: boolean; // at the bonds
  shownPower: boolean; // thickness of bonds by power

  // actions; those that ask the server give a promise
  openFolder: () => Promise<void>;
  openDocument: (path: string) => Promise<void>;
  closeDocument: () => Promise<void>;
  newDocument: (path: string, text: string) => Promise<void>;
  save: (force?: boolean) => Promise<void>;
  // Carries out operations as one step of undo. '' or the reason why not; names of what is new.
  edit: (operations: EditOperation[]) => Promise<{ reason: string; names: string[] }>;
  copy: (where: string, names: string[]) => Promise<CopyAnswer>;
  undo: () => void;
  redo: () => void;
  showText: (from: number, to: number) => void; // in the text pane
  setLevel: (level: string) => void;
  setMode: (mode: string) => void;
  select: (selection: Selection) => void;
  notify: (kind: Notice['kind'], text: string, action?: Notice['action']) => void;
  dismiss: (id: number) => void;

  run: (options?: { isPaused?: boolean; keep?: boolean }) => Promise<void>;
  command: (command: 'pause' | 'resume' | 'step' | 'cancel') => Promise<void>;
  forget: (run: string) => Promise<void>;
  onProgress: (progress: RunProgress) => void;
  setSetting: (setting: Setting) => void; // and run again, after a moment
  plot: (column: string, pane?: number) => void; // show a column: in a pane, or a new one
  unplot: (column: string) => void;
  setCursorTime: (time: number) => void; // throttled; asks for the row
  setCursorRow: (row: number) => void;
  setCursorInstant: (instant: number, row?: number) => void; // its first row, or the one that is named
  clearCursor: () => void;
};

export type Part = (set: (change: Partial<StudioState> | ((state: StudioState) => Partial<StudioState>)) => void, get: () => StudioState) => Partial<StudioState>;

// Each part of the page gives its values and actions; see src/parts.ts.
export const createStudio = (parts: Part[]) =>
  create<StudioState>()((set, get) => Object.assign({}, ...parts.map((part) => part(set, get))) as StudioState);
