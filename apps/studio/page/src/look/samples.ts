// SPDX-License-Identifier: BSD-3-Clause
// The bytes of /api/samples: a header of four numbers, then the times, then each column, all as little-endian doubles.
export type Samples = {
  first: number; // index of the first row in the run
  rows: number;
  isReduced: boolean;
  times: Float64Array;
  columns: Float64Array[];
};

const headerLength = 4;
const isCount = (value: number | undefined): value is number => value !== undefined && Number.isInteger(value) && value >= 0 && value < 2 ** 31;

// Throws a sentence when the bytes are not what their header says.
export const readSamples = (bytes: ArrayBuffer, columnCount: number): Samples => {
  const numbers = new Float64Array(bytes, 0, Math.floor(bytes.byteLength / 8));
  const [rows, columns, first, reduced] = numbers;
  if (!isCount(rows) || !isCount(columns) || !isCount(first)) throw new Error('The server sent samples without a header.');
  if (columns !== columnCount || numbers.length < headerLength + rows * (columns + 1)) throw new Error('The server sent samples that are cut off.');
  const part = (index: number) => numbers.subarray(headerLength + index * rows, headerLength + (index + 1) * rows);
  return { first, rows, isReduced: reduced === 1, times: part(0), columns: Array.from({ length: columns }, (_, index) => part(index + 1)) };
};
