// SPDX-License-Identifier: BSD-3-Clause
// The cursor: at a time, at a row, or in an instant, which it opens.
import { RequestFailed, call } from '../api';
import type { RowAnswer } from '../protocol';
import type { StudioState } from '../store';
import type { LookEngine } from './engine';
import type { Instants } from './runs/instants';
import { setLookView, useLookView, type OpenedInstant } from './view';

type Place = { run: string; row?: number; time?: number };
type Actions = Pick<StudioState, 'setCursorTime' | 'setCursorRow' | 'setCursorInstant' | 'clearCursor'>;

export const cursorActions = (engine: LookEngine): Actions => {
  const { set, get, recordings } = engine;
  const rows = new RowAsker(engine);
  const openedAt = (run: string, row: number): OpenedInstant | null => {
    const { opened } = useLookView.getState();
    return opened !== null && opened.run === run && row >= opened.first && row < opened.first + opened.count ? opened : null;
  };
  const put = (place: { run: string; row: number; time: number; instant: number }, asked: Place) => {
    set({ cursor: { ...place, answer: keptAnswer(engine, place.run) } });
    rows.want(asked);
  };
  const putAtRow = (run: string, row: number) => {
    const opened = openedAt(run, row);
    if (opened === null) setLookView({ opened: null });
    const time = opened?.time ?? recordings.get(run)?.grid.times[row] ?? get().cursor?.time ?? 0;
    put({ run, row, time, instant: opened?.instant ?? -1 }, { run, row });
  };
  const openWith = async (list: Instants, row: number) => {
    const time = recordings.get(list.run)?.grid.times[row] as number;
    const index = await list.before(time).catch(() => -1);
    const instant = await list.at(index).catch(() => null);
    if (list !== engine.instants()) return;
    if (instant?.rows.some((each) => each.row === row)) get().setCursorInstant(index, row);
    else putAtRow(list.run, row);
  };
  return {
    setCursorTime: (time) => {
      const run = get().current;
      if (run === null) return;
      setLookView({ opened: null });
      put({ run, row: Math.max(recordings.get(run)?.grid.rowAt(time) ?? 0, 0), time, instant: -1 }, { run, time });
    },
    setCursorRow: (row) => {
      const run = get().current;
      const list = engine.instants();
      if (run === null || row < 0) return;
      // a row of another instant opens that one
      if (list !== null && openedAt(run, row) === null && recordings.get(run)?.grid.isOneOfSeveral(row)) void openWith(list, row);
      else putAtRow(run, row);
    },
    setCursorInstant: (index, row) => {
      const list = engine.instants();
      if (list === null) return;
      list.at(index).then((instant) => {
        const first = instant?.rows[0]?.row;
        if (instant === null || first === undefined || list !== engine.instants()) return;
        setLookView({ opened: { run: list.run, instant: index, time: instant.time, first, count: instant.rows.length } });
        put({ run: list.run, row: row ?? first, time: instant.time, instant: index }, { run: list.run, row: row ?? first });
      }).catch((error: unknown) => engine.tell(error));
    },
    clearCursor: () => {
      setLookView({ opened: null });
      set({ cursor: null });
    },
  };
};

// What the last answer said stays until the next one is there, so that the drawing does not flicker.
const keptAnswer = (engine: LookEngine, run: string): RowAnswer | null => {
  const { cursor } = engine.get();
  return cursor?.run === run ? cursor.answer : null;
};

// Asks what stands at the cursor: one question at a time, and of those that came meanwhile only the last.
class RowAsker {
  private wanted: Place | null = null;
  private isAsking = false;

  constructor(private readonly engine: LookEngine) {}

  want(place: Place): void {
    this.wanted = place;
    void this.ask();
  }

  private async ask(): Promise<void> {
    const asked = this.wanted;
    if (this.isAsking || asked === null) return;
    this.isAsking = true;
    this.wanted = null;
    try {
      this.take(asked.run, await call('row', { ...asked, level: this.engine.get().level }));
    } catch (error) {
      if (!(error instanceof RequestFailed && error.status === 404)) this.engine.tell(error); // 404: the run was forgotten meanwhile
    } finally {
      this.isAsking = false;
      void this.ask();
    }
  }

  private take(run: string, answer: RowAnswer): void {
    if (this.engine.get().cursor?.run !== run || this.wanted !== null) return;
    this.engine.set({ cursor: { run, row: answer.row, time: answer.time, instant: answer.instant, answer } });
  }
}
