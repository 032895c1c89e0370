// SPDX-License-Identifier: BSD-3-Clause
import { EditorState, Text } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import type { Diagram, Problem } from '../protocol';
import { atCaret, rangesOf } from './following';
import { renderMarkdown } from './markdown';
import { diagnosticOf } from './problems';
import { nameAt } from './rename';

const text = '  I bullet(m1), wood(m2)\n  1 a\n  a -> bullet';
const symbol = (name: string, file = '') => ({ name, file, from: text.indexOf(name), to: text.indexOf(name) + name.length });
const diagram = {
  symbols: [symbol('bullet'), symbol('wood'), { name: 'a', file: '', from: text.indexOf('1 a') + 2, to: text.indexOf('1 a') + 3 }, { ...symbol('wood'), name: 'other', file: 'b.hbg' }],
  bonds: [{ tail: 'a', head: 'bullet', lane: 0, file: '', from: text.indexOf('->'), to: text.indexOf('->') + 2 }],
} as unknown as Diagram;
const same = (at: number) => at;

describe('text and drawing', () => {
  const caret = (at: number) => atCaret(diagram, Text.of(text.split('\n')), at, same);
  it('follow the caret in a name that is declared, and behind it on its line', () => {
    expect(caret(text.indexOf('bullet') + 2)?.symbols).toEqual(['bullet']);
    expect(caret(text.indexOf('m1') + 1)?.symbols).toEqual(['bullet']);
    expect(caret(text.indexOf('m2'))?.symbols).toEqual(['wood']);
    expect(caret(0)).toBeNull();
  });
  it('follow the caret at the arrow of a bond', () => expect(caret(text.indexOf('->') + 1)).toEqual({ symbols: [], bonds: ['a -> bullet #0'] }));
  it('mark what is selected, in this text only', () => {
    expect(rangesOf(diagram, { symbols: ['wood', 'bullet', 'other'], bonds: ['a -> bullet #0'] }, same).map(({ from, to }) => text.slice(from, to))).toEqual(['bullet', 'wood', '->']);
  });
});

describe('problems', () => {
  const state = EditorState.create({ doc: 'ab\n\ncd' });
  const problem = (from: number, to: number): Problem => ({ code: 'E1', title: 'Unknown name', isError: true, from, to, message: 'x is not declared.', help: 'Declare it.', related: [], fixes: [] });
  it('are seen also between two characters, at the end of a line, and behind the end', () => {
    const range = (from: number, to: number) => {
      const mark = diagnosticOf(state, problem(from, to), same);
      return [mark.from, mark.to];
    };
    expect([range(0, 1), range(0, 0), range(2, 2), range(99, 120)]).toEqual([[0, 1], [0, 1], [1, 2], [5, 6]]);
    expect(range(3, 3)).toEqual([3, 3]);
  });
  it('are told with message, help and code', () => {
    const mark = diagnosticOf(state, problem(0, 1), same);
    expect((mark.renderMessage?.(undefined as never) as HTMLElement).textContent).toBe('x is not declared.Declare it.E1 · Unknown name');
  });
});

describe('words of the server', () => {
  it('become elements, never HTML', () => {
    const box = renderMarkdown('**I** `bullet`: <img src=x>\n\n```hbg\nI bullet\n```\n- one\n- *two*');
    expect(box.querySelector('img')).toBeNull();
    expect([...box.children].map((child) => child.tagName)).toEqual(['P', 'PRE', 'UL']);
    expect(box.querySelector('strong')?.textContent).toBe('I');
    expect(box.querySelector('pre')?.textContent).toBe('I bullet');
    expect(box.querySelectorAll('li')).toHaveLength(2);
  });
});

it('the name under the caret is found at its ends, too', () => {
  const state = EditorState.create({ doc: 'I θ_2(x)' });
  expect(nameAt(state, 2)?.text).toBe('θ_2');
  expect(nameAt(state, 5)?.text).toBe('θ_2');
  expect(nameAt(EditorState.create({ doc: '1 + 2' }), 3)).toBeNull();
});
