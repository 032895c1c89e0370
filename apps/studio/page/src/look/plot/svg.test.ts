// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { writeSvg } from './svg';

const palette = () => '#123456';

describe('a plot as SVG', () => {
  it('has lines, marks and words, and no bitmap', () => {
    const text = writeSvg(100, 50, [
      { kind: 'line', points: [0, 1, 2, 3, NaN, NaN, 4, 5, 6, 7], colour: '--curve-1', width: 1 },
      { kind: 'mark', sort: 'diamond', x: 5, y: 5, size: 6, colour: '--curve-1' },
      { kind: 'words', x: 1, y: 2, text: 'p < 3 & "q"', size: 11, anchor: 'middle', colour: '--text' },
      { kind: 'clip', x: 0, y: 0, width: 9, height: 9, shapes: [{ kind: 'box', x: 0, y: 0, width: 5, height: 5, fill: '--off', hatch: true }] },
    ], palette, 'a < b');
    expect(text).toContain('d="M0 1L2 3M4 5L6 7"');
    expect(text).toContain('<polygon');
    expect(text).toContain('p &lt; 3 &amp; &quot;q&quot;');
    expect(text).toContain('<pattern id="hatch123456"');
    expect(text).toContain('<title>a &lt; b</title>');
    expect(text).not.toContain('<image');
    expect(new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('parsererror')).toBeNull();
  });
});
