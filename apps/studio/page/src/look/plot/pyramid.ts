// SPDX-License-Identifier: BSD-3-Clause
// Where the least and the greatest value of any stretch of rows stand, found in a few steps: rows are summed up in blocks, and those again.
// It keeps rows, not values, so that what is drawn is what was computed, at its own time.
export type Extremes = { lowest: number; highest: number }; // rows; -1 when there is no number in the stretch

const nothing = -1;
const firstBlock = 16; // rows of a block of the finest level
const fan = 8; // blocks of one level in one of the next

type Level = { size: number; lowest: Int32Array; highest: Int32Array };

export class Pyramid {
  private readonly levels: Level[] = [];

  // `isReal` tells whether a row counts; without it all do. What is not a number never counts.
  constructor(
    private readonly values: Float64Array,
    readonly count: number,
    private readonly isReal?: (row: number) => boolean,
  ) {
    if (count > firstBlock) this.levels.push(this.sumUpRows());
    for (let top = this.levels.at(-1); top !== undefined && top.lowest.length > fan; top = this.levels.at(-1)) this.levels.push(this.sumUpBlocks(top));
  }

  // Of the rows from `begin` up to but not including `end`.
  extremes(begin: number, end: number): Extremes {
    const found = { lowest: nothing, highest: nothing };
    this.collect(found, this.levels.length - 1, Math.max(begin, 0), Math.min(end, this.count));
    return found;
  }

  private sumUpRows(): Level {
    const blocks = Math.ceil(this.count / firstBlock);
    const level = { size: firstBlock, lowest: new Int32Array(blocks), highest: new Int32Array(blocks) };
    for (let block = 0; block < blocks; block++) {
      const found = { lowest: nothing, highest: nothing };
      this.scan(found, block * firstBlock, Math.min((block + 1) * firstBlock, this.count));
      level.lowest[block] = found.lowest;
      level.highest[block] = found.highest;
    }
    return level;
  }

  private sumUpBlocks(below: Level): Level {
    const blocks = Math.ceil(below.lowest.length / fan);
    const level = { size: below.size * fan, lowest: new Int32Array(blocks), highest: new Int32Array(blocks) };
    for (let block = 0; block < blocks; block++) {
      const found = { lowest: nothing, highest: nothing };
      for (let part = block * fan; part < Math.min((block + 1) * fan, below.lowest.length); part++) this.takeBlock(found, below, part);
      level.lowest[block] = found.lowest;
      level.highest[block] = found.highest;
    }
    return level;
  }

  // Whole blocks where there are such, and what stands before and behind them from the finer level.
  private collect(found: Extremes, index: number, begin: number, end: number): void {
    const level = this.levels[index];
    if (level === undefined) return this.scan(found, begin, end);
    const firstWhole = Math.ceil(begin / level.size);
    const lastWhole = end === this.count ? Math.ceil(end / level.size) : Math.floor(end / level.size);
    if (firstWhole >= lastWhole) return this.collect(found, index - 1, begin, end);
    this.collect(found, index - 1, begin, firstWhole * level.size);
    for (let block = firstWhole; block < lastWhole; block++) this.takeBlock(found, level, block);
    if (lastWhole * level.size < end) this.collect(found, index - 1, lastWhole * level.size, end);
  }

  private takeBlock(found: Extremes, level: Level, block: number): void {
    this.take(found, level.lowest[block] as number);
    this.take(found, level.highest[block] as number);
  }

  private scan(found: Extremes, begin: number, end: number): void {
    for (let row = begin; row < end; row++) if (this.isReal === undefined || this.isReal(row)) this.take(found, row);
  }

  private take(found: Extremes, row: number): void {
    if (row === nothing) return;
    const value = this.values[row] as number;
    if (!Number.isFinite(value)) return;
    if (found.lowest === nothing || value < (this.values[found.lowest] as number)) found.lowest = row;
    if (found.highest === nothing || value > (this.values[found.highest] as number)) found.highest = row;
  }
}
