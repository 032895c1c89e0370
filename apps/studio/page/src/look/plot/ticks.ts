// SPDX-License-Identifier: BSD-3-Clause
// Round numbers at an axis.
import { powerOfTen } from '../number';

export type Ticks = {
  places: number[]; // in the numbers of the axis
  texts: string[];
  factor: string; // of the caption: "10⁻³" when numbers are told in thousandths, else ""
  offset: number; // that the texts leave out, because times differ in late digits only; else 0
};

const roundSteps = [1, 2, 5, 10];

export const roundStep = (length: number, most: number): number => {
  const raw = length / Math.max(most, 1);
  const power = 10 ** Math.floor(Math.log10(raw));
  return (roundSteps.find((step) => step * power >= raw * (1 - 1e-9)) ?? 10) * power;
};

const decimalsOf = (step: number): number => Math.max(0, -Math.floor(Math.log10(step) + 1e-9));

export const ticksOf = (least: number, greatest: number, most: number): Ticks => {
  const length = greatest - least;
  if (!(length > 0) || !Number.isFinite(length)) return { places: [], texts: [], factor: '', offset: 0 };
  const step = roundStep(length, most);
  const first = Math.ceil(least / step - 1e-9);
  const count = Math.min(Math.max(Math.floor(greatest / step + 1e-9) - first + 1, 0), 1000);
  const largest = Math.max(Math.abs(least), Math.abs(greatest));
  const isLate = largest / step > 1e5;
  const offset = isLate ? Math.round(least / step / 10) * 10 * step : 0;
  const exponent = exponentOf(isLate ? length : largest);
  const scale = 10 ** exponent;
  const places = Array.from({ length: count }, (_, index) => (first + index) * step);
  const decimals = Math.min(decimalsOf(step / scale), 15);
  const texts = places.map((place) => minus(((place - offset) / scale).toFixed(decimals)));
  return { places, texts, factor: exponent === 0 ? '' : powerOfTen(exponent), offset };
};

// Thousands and thousandths, where plain numbers would have many zeros.
const exponentOf = (largest: number): number => {
  const exponent = Math.floor(Math.log10(largest) + 1e-9);
  return exponent >= 5 || exponent < -2 ? Math.floor(exponent / 3) * 3 : 0;
};

const minus = (text: string): string => (/^-0\.?0*$/.test(text) ? text.slice(1) : text.replace(/^-/, '−'));
