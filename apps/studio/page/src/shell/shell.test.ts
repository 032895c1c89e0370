// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import type { LookAnswer } from '../protocol';
import { keysOf } from './commands';
import { everything, find } from './finding';
import { readLayout } from './layout';
import { declarationOf } from './SearchBox';

const look = {
  diagram: { symbols: [{ name: 'bullet', path: 'bullet', kind: 'I', sort: 'element' }, { name: 'wagon', path: 'row.wagon', kind: 'Wagon', sort: 'submodel' }] },
  parameters: [{ name: 'm1', value: 1, unit: 'kg', description: 'of the bullet' }],
  signals: [{ name: 'gap', unit: 'm', isBoolean: false }],
  machines: [{ name: 'contact', type: 'Contact', states: [], initial: 0 }],
} as unknown as LookAnswer;

describe('searching', () => {
  const all = everything(look, [{ name: 'bullet.f', unit: 'm/s' }], [{ title: 'Save', keys: 'Ctrl+S', run: () => undefined }]);
  const titles = (words: string) => find(all, words).map((each) => each.title);
  it('finds symbols, parameters, signals, machines, levels, columns and commands', () => {
    expect(titles('bullet')).toEqual(['bullet', 'Plot bullet.f', 'm1']);
    expect(titles('wagon')).toEqual(['wagon', 'Enter wagon']);
    expect(titles('gap')).toEqual(['gap']);
    expect(titles('sav')).toEqual(['Save']);
    expect(titles('nothing like it')).toEqual([]);
  });
  it('offers everything but columns before a word is typed', () => expect(titles('')).not.toContain('Plot bullet.f'));
  it('finds where a name is declared', () => {
    const text = 'model A {\n  param m = 1, m1 = 2\n  signal x = m1*2\n  machine Contact { on a }\n}';
    expect(text.slice(...Object.values(declarationOf(text, 'm1', 'parameter')!))).toBe('m1');
    expect(declarationOf(text, 'm1', 'parameter')?.from).toBe(text.indexOf('m1 = 2'));
    expect(declarationOf(text, 'Contact', 'machine')?.from).toBe(text.indexOf('Contact'));
    expect(declarationOf(text, 'none', 'signal')).toBeNull();
    expect(declarationOf('param w[1] = 2', 'w[1]', 'parameter')).toEqual({ from: 6, to: 7 });
  });
});

describe('keys', () => {
  const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {}) => keysOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held });
  it('are called as people write them', () => {
    expect(press('z', { ctrlKey: true })).toBe('Ctrl+Z');
    expect(press('Z', { metaKey: true, shiftKey: true })).toBe('Ctrl+Shift+Z');
    expect(press('?', { shiftKey: true })).toBe('?');
    expect(press('F5')).toBe('F5');
  });
});

describe('the layout', () => {
  it('is the usual one when nothing, or nonsense, was remembered', () => {
    expect(readLayout('nonsense')).toEqual(readLayout(null));
    expect(readLayout('{"sizes":{"text":"wide"}}')).toEqual(readLayout(null));
  });
  it('keeps sizes within their limits', () => {
    const { sizes, opened } = readLayout('{"sizes":{"text":9999,"look":1},"opened":{"text":true}}');
    expect([sizes.text, sizes.look, opened.text]).toEqual([1200, 120, true]);
  });
});
