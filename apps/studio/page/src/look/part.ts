// SPDX-License-Identifier: BSD-3-Clause
// Runs and what is seen of them: their part of the store.
import { RequestFailed, call, isAbort, sentenceOf } from '../api';
import { currentSession } from '../document/current';
import type { Column, RunInfo, RunProgress, Setting } from '../protocol';
import type { Part } from '../store';
import { columnOfAny, paneFor, shownColumns, usualPanes } from './columns';
import { numberText } from './number';
import { Instants } from './runs/instants';
import { Recordings } from './runs/recordings';
import { labelOf, settingsOf, stillMeant } from './runs/settings';
import { setLookView, useLookView } from './view';

const settleTime = 60; // [ms] from the last change of a slider to the run
const cursorTime = 30; // [ms] between two questions for what stands at the cursor
const watchTime = 1500; // [ms] between two questions for how a run stands
const isOver = (state: RunProgress['state']) => state !== 'running' && state !== 'paused';

// What the store's part keeps to itself; the panes of this folder read it.
export type LookEngine = { recordings: Recordings; instants: () => Instants | null; keep: (run: string, isKept: boolean) => void; show: (run: string) => void; hide: (run: string, isHidden: boolean) => void; resetSetting: (name: string) => void };
let engine: LookEngine | null = null;
export const lookEngine = (): LookEngine => {
  if (engine === null) throw new Error('the look part of the store is not there yet');
  return engine;
};

export const lookPart: Part = (set, get) => {
  let instants: Instants | null = null;
  let starting: AbortController | null = null; // the run that is being started
  let sliderTimer: ReturnType<typeof setTimeout> | undefined;
  let extraColumns: string[] = []; // expressions that were asked for
  let cursorTimer: ReturnType<typeof setTimeout> | undefined;
  const unknown = new Map<string, RunProgress>();
  let isAskingRow = false;
  let wantedRow: { run: string; row?: number; time?: number } | null = null;

  const tell = (error: unknown) => {
    if (!isAbort(error)) get().notify('error', sentenceOf(error));
  };
  const recordings = new Recordings(tell);
  const runOf = (name: string | null): RunInfo | undefined => get().runs.find((run) => run.run === name);
  const replaceRun = (info: RunInfo) => set((state) => ({ runs: state.runs.map((run) => (run.run === info.run ? info : run)) }));

  // Asks for the samples of what is plotted, in every run that has it.
  const wantShown = () => {
    const columns = shownColumns(get().panes);
    for (const run of get().runs) {
      const own = columns.filter((name) => run.columns.some((column) => column.name === name));
      const stored = run.run === get().current ? run.columns.filter((column) => column.group === 'energy').map((column) => column.name) : [];
      recordings.want(run.run, [...new Set([...own, ...stored])]);
    }
  };
  const listInstants = (run: string) => {
    const list = new Instants(run, () => {
      if (instants !== list) return;
      set({ instants: [...list.loaded] });
      setLookView({ instantTotal: list.total });
    });
    instants = list;
    set({ instants: [] });
    setLookView({ instantTotal: 0 });
  };
  const makeCurrent = (run: string) => {
    if (get().current === run) return;
    set({ current: run });
    listInstants(run);
    void instants?.refresh().catch(() => undefined);
    wantShown();
  };

  // ---- the cursor ----

  const askRow = async () => {
    if (isAskingRow || wantedRow === null) return;
    isAskingRow = true;
    const asked = wantedRow;
    wantedRow = null;
    try {
      const answer = await call('row', { ...asked, level: get().level });
      const { cursor } = get();
      if (cursor?.run === asked.run && wantedRow === null) set({ cursor: { run: asked.run, row: answer.row, time: answer.time, instant: answer.instant, answer } });
    } catch (error) {
      if (!(error instanceof RequestFailed && error.status === 404)) tell(error);
    } finally {
      isAskingRow = false;
      if (wantedRow !== null) void askRow();
    }
  };
  const wantRow = (asked: { run: string; row?: number; time?: number }) => {
    wantedRow = asked;
    clearTimeout(cursorTimer);
    cursorTimer = setTimeout(() => void askRow(), isAskingRow ? cursorTime : 0);
  };
  const isOneOfSeveral = (run: string, row: number): boolean => {
    const grid = recordings.get(run)?.grid;
    return grid !== undefined && row < grid.count && (grid.times[row] === grid.times[row - 1] || (row + 1 < grid.count && grid.times[row] === grid.times[row + 1]));
  };
  const openWith = async (list: Instants, row: number): Promise<void> => {
    const time = recordings.get(list.run)?.grid.times[row] as number;
    const index = await list.before(time).catch(() => -1);
    const instant = await list.at(index).catch(() => null);
    if (list !== instants) return;
    if (instant?.rows.some((each) => each.row === row)) get().setCursorInstant(index, row);
    else placeAtRow(list.run, row);
  };
  const placeAtRow = (run: string, row: number): void => {
    const { opened } = useLookView.getState();
    const isInside = opened !== null && opened.run === run && row >= opened.first && row < opened.first + opened.count;
    if (!isInside) setLookView({ opened: null });
    const time = isInside ? opened.time : (recordings.get(run)?.grid.times[row] ?? get().cursor?.time ?? 0);
    set({ cursor: { run, row, time, instant: isInside ? opened.instant : -1, answer: keptAnswer(run) } });
    wantRow({ run, row });
  };
  // What the last answer said stays until the next one is there, so that the drawing does not flicker.
  const keptAnswer = (run: string) => (get().cursor?.run === run ? (get().cursor?.answer ?? null) : null);

  // ---- starting ----

  const firstProblem = () => get().look?.problems.find((problem) => problem.isError);
  const refuseWrongModel = (): boolean => {
    const { look } = get();
    if (look === null || look.isRight || !get().isLookCurrent) return false;
    const errors = look.problems.filter((problem) => problem.isError).length;
    const problem = firstProblem();
    const count = errors === 1 ? 'The model has a mistake' : `The model has ${errors} mistakes`;
    get().notify('error', problem ? `${count} and cannot run: ${problem.message}` : 'The model is wrong and cannot run.',
      problem && { title: 'Show it', run: () => get().showText(problem.from, problem.to) });
    return true;
  };
  const ask = async (settings: Setting[], isPaused: boolean, signal: AbortSignal): Promise<RunInfo> => {
    const session = currentSession();
    for (let attempt = 0; ; attempt++) {
      try {
        await session?.flush();
        const version = session?.version ?? get().version;
        const { run } = await call('run', { path: get().path ?? '', version, settings, columns: extraColumns, isPaused, label: labelOf(settings) }, signal);
        return await call('run-info', { run });
      } catch (error) {
        if (!(error instanceof RequestFailed && error.status === 409) || attempt === 4) throw error; // typed on meanwhile: once more
      }
    }
  };
  // The run before it goes as soon as there is something of the new one to be seen.
  const retire = (info: RunInfo, keep: boolean) => {
    const { kept } = useLookView.getState();
    const previous = get().runs.filter((run) => run.run !== info.run && !kept.has(run.run));
    if (keep) setLookView({ kept: new Set([...kept, ...previous.map((run) => run.run)]) });
    else recordings.onceSeen(info.run, () => void Promise.all(previous.map((run) => get().forget(run.run))));
    for (const run of previous) if (!keep && !isOver(run.state)) void call('command', { run: run.run, command: 'cancel' }).catch(() => undefined);
  };
  // Where the cursor was before, in the new run: at the same instant, as many rows into it, else at the same time.
  const returnTo = async (run: string, opened: { instant: number; offset: number } | null, time: number | null) => {
    if (get().current !== run) return;
    if (opened === null) {
      if (time !== null) get().setCursorTime(time);
      return;
    }
    await instants?.refresh();
    const instant = Math.min(opened.instant, (instants?.total ?? 0) - 1);
    const found = await instants?.at(instant);
    if (get().current !== run) return;
    if (found) get().setCursorInstant(instant, (found.rows[Math.min(opened.offset, found.rows.length - 1)] ?? found.rows[0])?.row);
    else setLookView({ opened: null });
  };
  const begin = (info: RunInfo, keep: boolean) => {
    const { cursor } = get();
    const { opened } = useLookView.getState();
    const place = opened === null || cursor === null ? null : { instant: opened.instant, offset: cursor.row - opened.first };
    retire(info, keep);
    set((state) => ({ runs: [info, ...state.runs.filter((run) => run.run !== info.run)] }));
    if (get().panes.length === 0) set({ panes: usualPanes(info.columns) });
    makeCurrent(info.run);
    const early = unknown.get(info.run); // it was quicker than the answer to its start
    if (early !== undefined) replaceRun({ ...info, ...early });
    unknown.clear();
    follow(info.run, () => void returnTo(info.run, place, cursor?.time ?? null).catch(tell));
    hear(early ?? info);
    if (early !== undefined && isOver(early.state)) void finish(info.run);
    watch(info.run);
  };
  // Events may be lost on their way; a run that seems to go on is asked for now and then.
  const watch = (run: string) =>
    setTimeout(() => {
      const known = runOf(run);
      if (known === undefined || isOver(known.state)) return;
      call('run-info', { run }).then(({ run: name, label, state, time, stop, rows, events }) => get().onProgress({ run: name, label, state, time, stop, rows, events })).catch(() => undefined);
      watch(run);
    }, watchTime);
  const whenOver = new Map<string, () => void>();
  const follow = (run: string, then: () => void) => whenOver.set(run, then);
  const hear = (progress: RunProgress) => {
    const over = isOver(progress.state);
    recordings.hear(progress.run, progress.rows, over || progress.state === 'paused');
    if (!over && progress.state !== 'paused') return;
    if (get().current === progress.run) void instants?.refresh().catch(() => undefined);
    whenOver.get(progress.run)?.();
    whenOver.delete(progress.run);
  };
  const finish = async (run: string) => {
    try {
      const info = await call('run-info', { run });
      replaceRun(info);
      if (info.failure !== '') get().notify('error', `The run stopped at ${numberText(info.time)} s. ${info.failure}`, { title: 'Details', run: () => setLookView({ tab: 'runs', isSideOpen: true }) });
      for (const warning of info.warnings.slice(0, 3)) get().notify('warning', warning);
    } catch (error) {
      if (!(error instanceof RequestFailed && error.status === 404)) tell(error);
    }
  };

  engine = {
    recordings,
    instants: () => instants,
    keep: (run, isKept) => {
      const kept = new Set(useLookView.getState().kept);
      if (isKept) kept.add(run);
      else kept.delete(run);
      setLookView({ kept });
    },
    show: (run) => {
      makeCurrent(run);
      setLookView({ opened: null });
      const { cursor } = get();
      if (cursor !== null) get().setCursorTime(cursor.time);
    },
    hide: (run, isHidden) => {
      const hidden = new Set(get().hidden);
      if (isHidden) hidden.add(run);
      else hidden.delete(run);
      set({ hidden });
    },
    resetSetting: (name) => {
      const { [name]: _, ...settings } = get().settings;
      set({ settings });
      rerunSoon();
    },
  };
  const rerunSoon = () => {
    clearTimeout(sliderTimer);
    sliderTimer = setTimeout(() => void get().run(), settleTime);
  };

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

    run: async (options = {}) => {
      if (refuseWrongModel()) return;
      clearTimeout(sliderTimer);
      starting?.abort();
      const mine = (starting = new AbortController());
      try {
        const parameters = get().look?.parameters;
        const settings = settingsOf(parameters ? stillMeant(get().settings, parameters) : get().settings);
        const info = await ask(settings, options.isPaused ?? false, mine.signal);
        // a newer one was asked for while this one began
        if (starting !== mine) void call('command', { run: info.run, command: 'forget' }).catch(() => undefined);
        else begin(info, options.keep ?? false);
      } catch (error) {
        tell(error);
      }
    },
    command: async (command) => {
      const run = get().current;
      if (command === 'step' && (run === null || isOver(runOf(run)?.state ?? 'done'))) return get().run({ isPaused: true });
      if (run === null) return;
      if (command === 'step')
        follow(run, () => {
          const last = (instants?.total ?? 0) - 1;
          void instants?.refresh().then(() => {
            const total = instants?.total ?? 0;
            if (total - 1 > last || total === 1) get().setCursorInstant(total - 1);
          }).catch(() => undefined);
        });
      try {
        await call('command', { run, command });
      } catch (error) {
        tell(error);
      }
    },
    forget: async (run) => {
      recordings.forget(run);
      const runs = get().runs.filter((other) => other.run !== run);
      const kept = new Set([...useLookView.getState().kept].filter((other) => other !== run));
      setLookView((state) => ({ kept, opened: state.opened?.run === run ? null : state.opened, recordingVersion: state.recordingVersion + 1 }));
      set((state) => ({ runs, cursor: state.cursor?.run === run ? null : state.cursor, hidden: new Set([...state.hidden].filter((other) => other !== run)) }));
      if (get().current === run) {
        set({ current: null, instants: [] });
        instants = null;
        const next = runs[0];
        if (next !== undefined) makeCurrent(next.run);
      }
      try {
        await call('command', { run, command: 'forget' });
      } catch {
        // the server has forgotten it already
      }
    },
    onProgress: (progress) => {
      const known = runOf(progress.run);
      if (known === undefined) return void unknown.set(progress.run, progress); // of another page, forgotten, or not there yet
      if (isOver(known.state)) return;
      replaceRun({ ...known, ...progress });
      hear(progress);
      if (isOver(progress.state)) void finish(progress.run);
    },
    setSetting: ({ name, value }) => {
      set((state) => ({ settings: { ...state.settings, [name]: value } }));
      rerunSoon();
    },

    plot: (column, pane) => {
      const { panes, runs } = get();
      const known = columnOfAny(runs, column);
      if (panes.some((other) => (pane === undefined || other.id === pane) && other.curves.some((curve) => curve.column === column))) return;
      const place = pane ?? (known === undefined ? null : paneFor(panes, runs, known));
      const isThere = panes.some((other) => other.id === place);
      const id = Math.max(0, ...panes.map((other) => other.id)) + 1;
      set({
        panes: isThere
          ? panes.map((other) => (other.id === place ? { ...other, curves: [...other.curves, { column }] } : other))
          : insertPane(panes, { id, curves: [{ column }] }, runs, known),
      });
      if (known === undefined) {
        extraColumns = [...extraColumns, column];
        if (get().current !== null) void get().run();
      }
      wantShown();
    },
    unplot: (column) => {
      set((state) => ({
        panes: state.panes.map((pane) => ({ ...pane, curves: pane.curves.filter((curve) => curve.column !== column) })).filter((pane) => pane.curves.length > 0),
      }));
      extraColumns = extraColumns.filter((name) => name !== column);
      wantShown();
    },

    setCursorTime: (time) => {
      const run = get().current;
      if (run === null) return;
      const grid = recordings.get(run)?.grid;
      const row = Math.max(grid?.rowAt(time) ?? 0, 0);
      setLookView({ opened: null });
      set({ cursor: { run, row, time, instant: -1, answer: keptAnswer(run) } });
      wantRow({ run, time });
    },
    setCursorRow: (row) => {
      const run = get().current;
      if (run === null || row < 0) return;
      const { opened } = useLookView.getState();
      const isInside = opened !== null && opened.run === run && row >= opened.first && row < opened.first + opened.count;
      const list = instants;
      // a row of another instant opens that one
      if (!isInside && isOneOfSeveral(run, row) && list !== null) return void openWith(list, row);
      placeAtRow(run, row);
    },
    setCursorInstant: (index, row) => {
      const run = get().current;
      const list = instants;
      if (run === null || list === null) return;
      void list.at(index).then((instant) => {
        const first = instant?.rows[0];
        if (instant === null || first === undefined || get().current !== run) return;
        setLookView({ opened: { run, instant: index, time: instant.time, first: first.row, count: instant.rows.length } });
        set({ cursor: { run, row: row ?? first.row, time: instant.time, instant: index, answer: keptAnswer(run) } });
        wantRow({ run, row: row ?? first.row });
      }).catch(tell);
    },
    clearCursor: () => {
      setLookView({ opened: null });
      set({ cursor: null });
    },
  };
};

// Lanes stay below the curves.
const insertPane = (panes: Parameters<typeof paneFor>[0], pane: (typeof panes)[number], runs: RunInfo[], column: Column | undefined) => {
  const isLanePane = (other: (typeof panes)[number]) => other.curves.every((curve) => (columnOfAny(runs, curve.column)?.kind ?? 'number') !== 'number');
  if (column !== undefined && column.kind !== 'number') return [...panes, pane];
  return [...panes.filter((other) => !isLanePane(other)), pane, ...panes.filter(isLanePane)];
};
