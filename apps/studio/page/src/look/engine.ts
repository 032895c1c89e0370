// SPDX-License-Identifier: BSD-3-Clause
// What the parts of looking share beside the store: samples, instants, and small questions about runs.
import { isAbort, sentenceOf } from '../api';
import type { RunInfo, RunProgress } from '../protocol';
import type { Part } from '../store';
import { shownColumns } from './columns';
import { Instants } from './runs/instants';
import { Recordings } from './runs/recordings';
import { setLookView, useLookView } from './view';

export type SetState = Parameters<Part>[0];
export type GetState = Parameters<Part>[1];

export const isOver = (state: RunProgress['state']): boolean => state !== 'running' && state !== 'paused';

export class LookEngine {
  readonly recordings: Recordings;
  extraColumns: string[] = []; // expressions that were asked for
  resetSettings: (names: string[]) => void = () => undefined; // as the text has them, and run again
  private list: Instants | null = null;

  constructor(readonly set: SetState, readonly get: GetState) {
    this.recordings = new Recordings((error) => this.tell(error));
  }

  // Those of the current run.
  instants(): Instants | null {
    return this.list;
  }

  tell(error: unknown): void {
    if (!isAbort(error)) this.get().notify('error', sentenceOf(error));
  }

  runOf(name: string | null): RunInfo | undefined {
    return this.get().runs.find((run) => run.run === name);
  }

  replaceRun(info: RunInfo): void {
    this.set((state) => ({ runs: state.runs.map((run) => (run.run === info.run ? info : run)) }));
  }

  // Asks for the samples of what is plotted, in every run that has it, and of the current one's energies.
  wantShown(): void {
    const columns = shownColumns(this.get().panes);
    for (const run of this.get().runs) {
      const own = columns.filter((name) => run.columns.some((column) => column.name === name));
      const energies = run.run === this.get().current ? run.columns.filter((column) => column.group === 'energy').map((column) => column.name) : [];
      this.recordings.want(run.run, new Set([...own, ...energies]));
    }
  }

  makeCurrent(run: string): void {
    if (this.get().current === run) return;
    this.set({ current: run });
    this.listInstants(run);
    void this.list?.refresh().catch(() => undefined);
    this.wantShown();
  }

  leaveCurrent(): void {
    this.set({ current: null, instants: [] });
    this.list = null;
  }

  // Looks into this run, at the time at which the cursor stood.
  show(run: string): void {
    this.makeCurrent(run);
    setLookView({ opened: null });
    const { cursor } = this.get();
    if (cursor !== null) this.get().setCursorTime(cursor.time);
  }

  hide(run: string, isHidden: boolean): void {
    this.set((state) => ({ hidden: changed(state.hidden, run, isHidden) }));
  }

  // A run that is kept is not replaced by the next one.
  keep(run: string, isKept: boolean): void {
    setLookView({ kept: changed(useLookView.getState().kept, run, isKept) });
  }

  private listInstants(run: string): void {
    const list = new Instants(run, () => {
      if (this.list !== list) return;
      this.set({ instants: [...list.loaded] });
      setLookView({ instantTotal: list.total });
    });
    this.list = list;
    this.set({ instants: [] });
    setLookView({ instantTotal: 0 });
  }
}

const changed = (names: ReadonlySet<string>, name: string, isIn: boolean): Set<string> => {
  const next = new Set(names);
  if (isIn) next.add(name);
  else next.delete(name);
  return next;
};

let engine: LookEngine | null = null;
export const startEngine = (set: SetState, get: GetState): LookEngine => (engine = new LookEngine(set, get));
export const lookEngine = (): LookEngine => {
  if (engine === null) throw new Error('the look part of the store is not there yet');
  return engine;
};
