// SPDX-License-Identifier: BSD-3-Clause
// Starting runs and following them to their end.
import { RequestFailed, call } from '../api';
import { currentSession } from '../document/current';
import type { RunInfo, RunProgress, Setting } from '../protocol';
import type { StudioState } from '../store';
import { usualPanes } from './columns';
import { isOver, type LookEngine } from './engine';
import { numberText } from './number';
import { labelOf, settingsOf, stillMeant } from './runs/settings';
import { setLookView, useLookView } from './view';

const settleTime = 60; // [ms] from the last change of a slider to the run
const watchTime = 1500; // [ms] between two questions for how a run stands
const mostAttempts = 5;
const toldWarnings = 3;

type Actions = Pick<StudioState, 'run' | 'command' | 'forget' | 'onProgress' | 'setSetting'> & { resetSettings: (names: string[]) => void };

export const runActions = (engine: LookEngine): Actions => {
  const { get, set } = engine;
  const follower = new Follower(engine);
  let starting: AbortController | null = null; // the run that is being started
  let timer: ReturnType<typeof setTimeout> | undefined;
  const runSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void get().run(), settleTime);
  };
  const step = (run: string) => {
    const before = engine.instants()?.total ?? 0;
    follower.whenResting(run, () => void showNewest(engine, before).catch((error: unknown) => engine.tell(error)));
  };
  return {
    run: async (options = {}) => {
      if (refuseWrongModel(engine)) return;
      clearTimeout(timer);
      starting?.abort();
      const mine = (starting = new AbortController());
      try {
        const info = await start(engine, options.isPaused ?? false, mine.signal);
        // a newer one was asked for while this one began
        if (starting !== mine) void call('command', { run: info.run, command: 'forget' }).catch(() => undefined);
        else begin(engine, follower, info, options.keep ?? false);
      } catch (error) {
        engine.tell(error);
      }
    },
    command: async (command) => {
      const isAtRest = isOver(engine.runOf(get().current)?.state ?? 'done');
      if (command === 'step' && isAtRest) await get().run({ isPaused: true });
      const run = get().current;
      if (run === null || isOver(engine.runOf(run)?.state ?? 'done')) return;
      if (command === 'step') step(run);
      try {
        await call('command', { run, command });
      } catch (error) {
        engine.tell(error);
      }
    },
    forget: async (run) => {
      engine.recordings.forget(run);
      engine.keep(run, false);
      engine.hide(run, false);
      setLookView((state) => ({ opened: state.opened?.run === run ? null : state.opened, recordingVersion: state.recordingVersion + 1 }));
      set((state) => ({ runs: state.runs.filter((other) => other.run !== run), cursor: state.cursor?.run === run ? null : state.cursor }));
      if (get().current === run) {
        engine.leaveCurrent();
        const next = get().runs[0];
        if (next !== undefined) engine.makeCurrent(next.run);
      }
      try {
        await call('command', { run, command: 'forget' });
      } catch {
        // the server has forgotten it already
      }
    },
    onProgress: (progress) => follower.onProgress(progress),
    setSetting: ({ name, value }) => {
      set((state) => ({ settings: { ...state.settings, [name]: value } }));
      runSoon();
    },
    resetSettings: (names) => {
      set((state) => ({ settings: Object.fromEntries(Object.entries(state.settings).filter(([name]) => !names.includes(name))) }));
      runSoon();
    },
  };
};

// ---- starting ----

// A wrong model does not run; the notice leads to its first mistake.
const refuseWrongModel = ({ get }: LookEngine): boolean => {
  const { look } = get();
  if (look === null || look.isRight || !get().isLookCurrent) return false;
  const errors = look.problems.filter((problem) => problem.isError);
  const [problem] = errors;
  const count = errors.length > 1 ? `The model has ${errors.length} mistakes` : 'The model has a mistake';
  get().notify('error', problem ? `${count} and cannot run: ${problem.message}` : 'The model is wrong and cannot run.',
    problem && { title: 'Show it', run: () => get().showText(problem.from, problem.to) });
  return true;
};

const start = async (engine: LookEngine, isPaused: boolean, signal: AbortSignal): Promise<RunInfo> => {
  const { get } = engine;
  const parameters = get().look?.parameters;
  const settings: Setting[] = settingsOf(parameters ? stillMeant(get().settings, parameters) : get().settings);
  const session = currentSession();
  for (let attempt = 1; ; attempt++) {
    try {
      await session?.flush();
      const version = session?.version ?? get().version;
      const { run } = await call('run', { path: get().path ?? '', version, settings, columns: engine.extraColumns, isPaused, label: labelOf(settings) }, signal);
      return await call('run-info', { run });
    } catch (error) {
      if (!(error instanceof RequestFailed && error.status === 409) || attempt === mostAttempts) throw error; // typed on meanwhile: once more
    }
  }
};

// A new run is there: it becomes the current one, in the place of the one before.
const begin = (engine: LookEngine, follower: Follower, info: RunInfo, keep: boolean): void => {
  const { get, set } = engine;
  const { cursor } = get();
  const { opened } = useLookView.getState();
  const place = opened === null || cursor === null ? null : { instant: opened.instant, offset: cursor.row - opened.first };
  retire(engine, info, keep);
  set((state) => ({ runs: [info, ...state.runs.filter((run) => run.run !== info.run)] }));
  if (get().panes.length === 0) set({ panes: usualPanes(info.columns) });
  engine.makeCurrent(info.run);
  follower.whenResting(info.run, () => void returnTo(engine, info.run, place, cursor?.time ?? null).catch((error: unknown) => engine.tell(error)));
  follower.begin(info);
};

// The run before goes as soon as there is something of the new one to be seen.
const retire = (engine: LookEngine, info: RunInfo, keep: boolean): void => {
  const { get, recordings } = engine;
  const { kept } = useLookView.getState();
  const previous = get().runs.filter((run) => run.run !== info.run && !kept.has(run.run));
  if (keep) return previous.forEach((run) => engine.keep(run.run, true));
  recordings.onceSeen(info.run, () => void Promise.all(previous.map((run) => get().forget(run.run))));
  for (const run of previous) if (!isOver(run.state)) void call('command', { run: run.run, command: 'cancel' }).catch(() => undefined);
};

// Where the cursor was before, in the new run: at the same instant, as many rows into it, else at the same time.
const returnTo = async (engine: LookEngine, run: string, place: { instant: number; offset: number } | null, time: number | null): Promise<void> => {
  const { get } = engine;
  const instants = engine.instants();
  if (get().current !== run || instants === null) return;
  if (place === null) {
    if (time !== null) get().setCursorTime(time);
    return;
  }
  await instants.refresh();
  const index = Math.min(place.instant, instants.total - 1);
  const instant = await instants.at(index);
  if (get().current !== run) return;
  if (instant === null) setLookView({ opened: null });
  else get().setCursorInstant(index, (instant.rows[Math.min(place.offset, instant.rows.length - 1)] ?? instant.rows[0])?.row);
};

// After a step: the instant that it led to.
const showNewest = async (engine: LookEngine, before: number): Promise<void> => {
  const instants = engine.instants();
  await instants?.refresh();
  if (instants !== null && instants.total > before) engine.get().setCursorInstant(instants.total - 1);
};

// ---- following ----

class Follower {
  private readonly unknown = new Map<string, RunProgress>(); // of other pages, forgotten, or not there yet
  private readonly waiting = new Map<string, () => void>();

  constructor(private readonly engine: LookEngine) {}

  // To be called once, when the run pauses or is over.
  whenResting(run: string, then: () => void): void {
    this.waiting.set(run, then);
  }

  begin(info: RunInfo): void {
    const early = this.unknown.get(info.run); // it was quicker than the answer to its start
    this.unknown.clear();
    this.hear(info);
    if (early !== undefined) this.onProgress(early); // counts only where `info` is older
    if (isOver(info.state)) this.tellEnd(info);
    else this.watch(info.run);
  }

  onProgress(progress: RunProgress): void {
    const known = this.engine.runOf(progress.run);
    if (known === undefined) return void this.unknown.set(progress.run, progress);
    if (isOver(known.state)) return;
    this.engine.replaceRun({ ...known, ...progress });
    this.hear(progress);
    if (isOver(progress.state)) void this.finish(progress.run);
  }

  private hear(progress: RunProgress): void {
    const isAtRest = isOver(progress.state) || progress.state === 'paused';
    this.engine.recordings.hear(progress.run, progress.rows, isAtRest);
    if (!isAtRest) return;
    if (this.engine.get().current === progress.run) void this.engine.instants()?.refresh().catch(() => undefined);
    this.waiting.get(progress.run)?.();
    this.waiting.delete(progress.run);
  }

  // Events may be lost on their way; a run that seems to go on is asked for now and then.
  private watch(run: string): void {
    setTimeout(() => {
      if (isOver(this.engine.runOf(run)?.state ?? 'done')) return;
      call('run-info', { run })
        .then(({ label, state, time, stop, rows, events }) => this.onProgress({ run, label, state, time, stop, rows, events }))
        .catch(() => undefined);
      this.watch(run);
    }, watchTime);
  }

  private async finish(run: string): Promise<void> {
    try {
      const info = await call('run-info', { run });
      this.engine.replaceRun(info);
      this.tellEnd(info);
    } catch (error) {
      if (!(error instanceof RequestFailed && error.status === 404)) this.engine.tell(error); // 404: it was forgotten meanwhile
    }
  }

  // Why it stopped, in full, and what there is to be warned of.
  private tellEnd(info: RunInfo): void {
    const { notify } = this.engine.get();
    const details = { title: 'Details', run: () => setLookView({ tab: 'runs', isSideOpen: true }) };
    if (info.failure !== '') notify('error', `The run stopped at ${numberText(info.time)} s. ${info.failure}`, details);
    for (const warning of info.warnings.slice(0, toldWarnings)) notify('warning', warning);
  }
}
