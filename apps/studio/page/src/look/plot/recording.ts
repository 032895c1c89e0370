// SPDX-License-Identifier: BSD-3-Clause
// What the page has of a run: columns of numbers over rows that grow while it runs.
import type { Samples } from '../samples';
import { Grid, grown } from './grid';
import { Pyramid } from './pyramid';

export class RecordedColumn {
  values = new Float64Array(0);
  count = 0;
  private builtPyramid: Pyramid | null = null;
  private foundChanges: Int32Array | null = null;

  constructor(readonly grid: Grid) {}

  // The numbers that stand at row `first` and behind it; what is there already is left alone. False when rows between are missing.
  take(first: number, numbers: Float64Array): boolean {
    if (first > this.count) return false;
    const fresh = numbers.subarray(this.count - first);
    this.values = grown(this.values, this.count, this.count + fresh.length);
    this.values.set(fresh, this.count);
    this.count += fresh.length;
    if (fresh.length > 0) this.builtPyramid = this.foundChanges = null;
    return true;
  }

  get pyramid(): Pyramid {
    this.builtPyramid ??= new Pyramid(this.values, this.count, this.grid.kinds === null ? undefined : (row) => this.grid.isReal(row));
    return this.builtPyramid;
  }

  // Rows at which the value is another one than at the row before, inferences left out; the first row is one.
  get changes(): Int32Array {
    this.foundChanges ??= this.findChanges();
    return this.foundChanges;
  }

  private findChanges(): Int32Array {
    const rows: number[] = [];
    let value = NaN;
    for (let row = 0; row < this.count; row++) {
      if (!this.grid.isReal(row) || Object.is(this.values[row], value)) continue;
      value = this.values[row] as number;
      rows.push(row);
    }
    return Int32Array.from(rows);
  }
}

export class Recording {
  readonly grid = new Grid();
  readonly columns = new Map<string, RecordedColumn>();

  // How many rows of a column are there.
  countOf(column: string): number {
    return this.columns.get(column)?.count ?? 0;
  }

  // Takes what the server sent. `kinds`: the sorts of the rows, when they were among it. False when it does not fit to what is there.
  take(samples: Samples, names: string[], kinds: Float64Array | null): boolean {
    return samples.isReduced ? this.takeReduced(samples, names) : this.takeRows(samples, names, kinds);
  }

  private takeRows(samples: Samples, names: string[], kinds: Float64Array | null): boolean {
    if (samples.first > this.grid.count) return false;
    const known = this.grid.count - samples.first;
    if (known < samples.rows) this.grid.append(samples.times.subarray(known), kinds === null ? null : kinds.subarray(known));
    return names.every((name, index) => this.columnOn(name, this.grid).take(samples.first, samples.columns[index] as Float64Array));
  }

  // Rows that were chosen for these columns: they have times of their own, and come anew each time.
  private takeReduced(samples: Samples, names: string[]): boolean {
    const grid = new Grid();
    grid.append(samples.times, null);
    for (const [index, name] of names.entries()) {
      const column = new RecordedColumn(grid);
      column.take(0, samples.columns[index] as Float64Array);
      this.columns.set(name, column);
    }
    return true;
  }

  private columnOn(name: string, grid: Grid): RecordedColumn {
    const known = this.columns.get(name);
    if (known !== undefined && known.grid === grid) return known;
    const column = new RecordedColumn(grid);
    this.columns.set(name, column);
    return column;
  }
}
