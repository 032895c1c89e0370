// SPDX-License-Identifier: BSD-3-Clause
// Fetches what is shown of runs, and more of it while they go on: one request at a time for each run.
import { RequestFailed, callBytes } from '../../api';
import { Recording } from '../plot/recording';
import { readSamples } from '../samples';
import { setLookView } from '../view';

const kindColumn = 'kind of row'; // every run has it: numbers as rowKinds of grid.ts has them
const mostRows = 4_000_000; // of a run longer than that only what can be seen is fetched
const reducedRows = 400_000;
const mostNumbers = 16_000_000; // of one answer

type Source = {
  recording: Recording;
  wanted: Set<string>;
  rows: number; // that the server has
  isBusy: boolean;
  isOver: boolean; // it has all rows
  whenSeen: (() => void) | null; // to be called once there is something to be seen
};

export class Recordings {
  private readonly sources = new Map<string, Source>();

  constructor(private readonly onFailure: (error: unknown) => void) {}

  get(run: string): Recording | null {
    return this.sources.get(run)?.recording ?? null;
  }

  want(run: string, columns: Iterable<string>): void {
    const source = this.sourceOf(run);
    source.wanted = new Set(columns);
    void this.fetch(run, source);
  }

  // The run has so many rows now.
  hear(run: string, rows: number, isOver: boolean): void {
    const source = this.sourceOf(run);
    source.rows = Math.max(source.rows, rows);
    source.isOver = isOver;
    void this.fetch(run, source);
  }

  onceSeen(run: string, then: () => void): void {
    this.sourceOf(run).whenSeen = then;
  }

  forget(run: string): void {
    this.sources.delete(run);
  }

  private sourceOf(run: string): Source {
    let source = this.sources.get(run);
    if (source === undefined) {
      source = { recording: new Recording(), wanted: new Set(), rows: 0, isBusy: false, isOver: false, whenSeen: null };
      this.sources.set(run, source);
    }
    return source;
  }

  private async fetch(run: string, source: Source): Promise<void> {
    if (source.isBusy) return;
    source.isBusy = true;
    try {
      let columns = this.missing(source);
      while (columns.length > 0 && this.sources.get(run) === source) {
        const before = source.recording.countOf(columns[0] as string);
        await this.ask(run, source, columns);
        this.seen(source);
        if (source.recording.countOf(columns[0] as string) === before) break; // nothing new as yet
        columns = this.missing(source);
      }
      if (columns.length === 0) this.seen(source);
    } catch (error) {
      if (!(error instanceof RequestFailed && error.status === 404)) this.onFailure(error); // 404: it was forgotten meanwhile
    } finally {
      source.isBusy = false;
    }
  }

  // Columns that lack rows, those with equally many: the shortest first.
  private missing(source: Source): string[] {
    const target = source.rows > mostRows ? 1 : source.rows;
    const short = [...source.wanted].filter((column) => source.recording.countOf(column) < target);
    const least = Math.min(...short.map((column) => source.recording.countOf(column)));
    return source.rows > mostRows && !source.isOver ? [] : short.filter((column) => source.recording.countOf(column) === least);
  }

  private async ask(run: string, source: Source, columns: string[]): Promise<void> {
    const { recording } = source;
    const isReduced = source.rows > mostRows;
    const names = columns.slice(0, isReduced ? 1 : Math.max(Math.floor(mostNumbers / Math.max(source.rows, 1)), 1)); // reduced, each has rows of its own
    const have = recording.countOf(columns[0] as string);
    const from = have > 0 ? recording.grid.times[have - 1] : undefined;
    const asked = isReduced ? names : [...names, kindColumn];
    const bytes = await callBytes('samples', { run, columns: asked, from, most: isReduced ? reducedRows : undefined });
    const samples = readSamples(bytes, asked.length);
    recording.take(samples, names, isReduced ? null : (samples.columns.at(-1) ?? null));
  }

  private seen(source: Source): void {
    setLookView((state) => ({ recordingVersion: state.recordingVersion + 1 }));
    if (source.recording.grid.count === 0 && !source.isOver) return;
    const then = source.whenSeen;
    source.whenSeen = null;
    then?.();
  }
}
