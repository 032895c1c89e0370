// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people read them: a true minus, powers of ten raised, no more digits than count.
const raised: Record<string, string> = { '-': '⁻', '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹' };
const minus = (text: string): string => text.replace(/^-/, '−');
export const powerOfTen = (exponent: number): string => `10${[...String(exponent)].map((sign) => raised[sign] ?? '').join('')}`;

// "0.2", "−1.5×10⁻⁷", "1024": to `digits` digits, and without zeros at the end.
export const numberText = (value: number | null | undefined, digits = 5): string => {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const exponent = Math.floor(Math.log10(Math.abs(Number(value.toPrecision(digits)))));
  if (exponent >= -4 && exponent < Math.max(digits, 6)) return minus(String(Number(value.toPrecision(digits))));
  const mantissa = Number((value / 10 ** exponent).toPrecision(digits));
  return `${minus(String(mantissa))}×${powerOfTen(exponent)}`;
};

// "N*s" as "N·s", "m/s^2" as "m/s²"
export const unitText = (unit: string): string =>
  unit.replaceAll('*', '·').replace(/\^(-?\d+)/g, (_, exponent: string) => [...exponent].map((sign) => raised[sign] ?? '').join(''));

export const valueText = (value: number | null | undefined, unit: string, digits = 5): string =>
  unit === '' || unit === '1' ? numberText(value, digits) : `${numberText(value, digits)} ${unitText(unit)}`;

// A time as exactly as needed to tell it from its neighbours in a run of that length.
export const timeText = (time: number, length: number): string => {
  const digits = Math.min(Math.max(Math.ceil(Math.log10(Math.abs(time) / (length * 1e-5) + 1)) + 1, 4), 15);
  return numberText(time, digits);
};

// ⟨t + kε, n⟩ as the theory writes it; before an instant ⟨t − ε, 0⟩.
export const stampText = (time: string, eps: number, n: number): string => {
  const infinitesimals = eps === 0 ? '' : eps === -1 ? ' − ε' : eps === 1 ? ' + ε' : eps < 0 ? ` − ${-eps}ε` : ` + ${eps}ε`;
  return `⟨${time}${infinitesimals}, ${n}⟩`;
};
