// SPDX-License-Identifier: BSD-3-Clause
// The way of a slider: between two ends round the value of the text, and, where these are far apart, by powers of ten.
export type Ends = { least: number; greatest: number };

const steps = 1000; // that a slider has
const farApart = 100; // ends whose ratio is larger are logarithmic

// From nothing to twice the value; of 0 as far as 1 to both sides.
export const usualEnds = (value: number): Ends => {
  if (value === 0 || !Number.isFinite(value)) return { least: -1, greatest: 1 };
  return value > 0 ? { least: 0, greatest: 2 * value } : { least: 2 * value, greatest: 0 };
};

// Ends that hold the value, too.
export const endsWith = (ends: Ends, value: number): Ends =>
  Number.isFinite(value) ? { least: Math.min(ends.least, value), greatest: Math.max(ends.greatest, value) } : ends;

const isLogarithmic = ({ least, greatest }: Ends): boolean => least > 0 && greatest / least > farApart;

export const positionOf = (value: number, ends: Ends): number => {
  const { least, greatest } = ends;
  if (!(greatest > least)) return 0;
  const share = isLogarithmic(ends) ? Math.log(value / least) / Math.log(greatest / least) : (value - least) / (greatest - least);
  return Math.round(Math.min(Math.max(share, 0), 1) * steps);
};

// A round number: no more digits than the slider can tell apart.
export const valueAt = (position: number, ends: Ends): number => {
  const { least, greatest } = ends;
  const share = position / steps;
  const value = isLogarithmic(ends) ? least * (greatest / least) ** share : least + share * (greatest - least);
  if (value === 0) return 0;
  const step = isLogarithmic(ends) ? Math.abs(value) / 100 : (greatest - least) / steps;
  const decimals = Math.max(0, Math.ceil(-Math.log10(step)));
  return decimals > 100 ? value : Number(value.toFixed(Math.min(decimals, 100)));
};
export const sliderSteps = steps;

// What people type: a number, also with a comma; null when it is none.
export const readNumber = (text: string): number | null => {
  const plain = text.trim().replace(',', '.').replace('−', '-');
  const value = Number(plain);
  return plain === '' || !Number.isFinite(value) ? null : value;
};
