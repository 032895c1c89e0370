// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { friction, impact, stages } from '../fixtures/machines';
import type { Transition } from './layout';
import { conditionOf, guardToSend, markOf, printed, shortened } from './marks';
import { freeName } from './names';
import { membersOf, variablesOf } from './proposals';

const transitionOf = (list: Transition[], index: number): Transition => {
  const transition = list[index];
  if (!transition) throw new Error(`no transition ${index}`);
  return transition;
};

describe('what is said of a transition', () => {
  it('marks values before with a minus and others with a plus', () => {
    expect(impact.transitions.map(markOf)).toEqual(['+', '−']);
    expect(markOf(transitionOf(friction.transitions, 2))).toBe('+−');
  });
  it('writes the time before the guard', () => {
    expect(conditionOf(transitionOf(stages.transitions, 1))).toBe('after 10 [s]');
    expect(conditionOf(transitionOf(impact.transitions, 0))).toBe('gap <= 0 and approach < 0');
    expect(conditionOf({ ...transitionOf(impact.transitions, 0), after: '2 [s]' })).toBe('after 2 [s] when gap <= 0 and approach < 0');
  });
  it('sends a guard alone, and all of a condition that had a time', () => {
    expect(guardToSend(transitionOf(impact.transitions, 0), ' gap < 1 ')).toBe('gap < 1');
    expect(guardToSend(transitionOf(stages.transitions, 1), 'x > 1')).toBe('when x > 1');
    expect(guardToSend(transitionOf(stages.transitions, 1), 'after 5 [s]')).toBe('after 5 [s]');
  });
  it('is short and has the signs of print', () => {
    expect(shortened('abcdefgh', 5)).toBe('abcd…');
    expect(shortened('abc', 5)).toBe('abc');
    expect(printed('a <= 2*b')).toBe('a ≤ 2·b');
  });
});

describe('names and variables', () => {
  it('finds names that are free', () => {
    expect(freeName('free', impact.states)).toBe('free2');
    expect(freeName('other', impact.states)).toBe('other');
  });
  it('knows what can be read of a symbol', () => {
    expect(variablesOf({ kind: 'MTF' })).toEqual(['e1', 'f1', 'e2', 'f2']);
    expect(variablesOf({ kind: '1' })).toEqual(['f']);
    expect(variablesOf({ kind: 'Motor' })).toEqual([]);
    expect(membersOf(null, 'contact')).toEqual([]);
  });
});
