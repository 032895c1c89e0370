// SPDX-License-Identifier: BSD-3-Clause
// Numbers as they are shown at bonds and in the inspector: four figures, no noise.

export const shownNumber = (value: number | null | undefined, figures = 4): string => {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa, exponent] = value.toExponential(figures - 2).split('e') as [string, string];
    return `${trimmed(mantissa)}e${Number(exponent)}`.replace('-', '−').replace('e-', 'e−');
  }
  return trimmed(value.toPrecision(Math.max(figures, Math.floor(Math.log10(size)) + 1))).replace('-', '−');
};

const trimmed = (text: string): string => {
  if (text.includes('e')) return String(Number(text));
  return text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
};
