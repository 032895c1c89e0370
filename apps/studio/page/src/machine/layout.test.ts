// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { friction, impact, stages } from '../fixtures/machines';
import { pointsOf } from './labels';
import type { Rect } from './labels';
import { neighbourOf, planOf as planWith } from './layout';
import type { Plan, State, StateBox, Transition } from './layout';
import { conditionOf, markOf } from './marks';

const boxOf = (plan: Plan, name: string): StateBox => {
  const box = plan.states.find((candidate) => candidate.name === name);
  if (!box) throw new Error(name);
  return box;
};
const overlap = (a: Rect, b: Rect) => Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2;

const planOf = (states: State[], transitions: Transition[], isNarrow: boolean): Plan =>
  planWith(states, transitions, transitions.map((transition, index) => `${index + 1} ${markOf(transition)}${isNarrow ? '' : ` ${conditionOf(transition).slice(0, 30)}`}`), isNarrow);

describe('the plan of a machine', () => {
  it.each([[impact], [friction], [stages]])('keeps states of one level apart', (machine) => {
    for (const isNarrow of [false, true]) {
      const plan = planOf(machine.states, machine.transitions, isNarrow);
      for (const a of plan.states)
        for (const b of plan.states)
          if (a !== b && !a.name.startsWith(`${b.name}.`) && !b.name.startsWith(`${a.name}.`)) expect(overlap(a, b), `${a.name} ${b.name}`).toBe(false);
    }
  });

  it('puts inner states inside of what is around them', () => {
    const plan = planOf(stages.states, stages.transitions, false);
    const outer = boxOf(plan, 'charging');
    for (const name of ['charging.fast', 'charging.slow']) {
      const inner = boxOf(plan, name);
      expect(Math.abs(inner.x - outer.x) + inner.width / 2).toBeLessThanOrEqual(outer.width / 2);
      expect(Math.abs(inner.y - outer.y) + inner.height / 2).toBeLessThanOrEqual(outer.height / 2);
    }
    expect(outer.isGroup).toBe(true);
  });

  it('bends there and back to different sides', () => {
    const plan = planOf(impact.states, impact.transitions, false);
    const [there, back] = plan.arrows;
    expect(Math.sign(there?.label.y ?? 0)).toBe(-Math.sign(back?.label.y ?? 0));
  });

  it('writes upon no state, no arrow and no other words', () => {
    for (const machine of [impact, friction, stages])
      for (const isNarrow of [false, true]) {
        const plan = planOf(machine.states, machine.transitions, isNarrow);
        for (const { label, number } of plan.arrows) {
          const words = `${machine.name} ${number + 1}`;
          for (const other of plan.arrows) {
            expect(other.label !== label && overlap(label, other.label), words).toBe(false);
            for (const point of pointsOf(other)) expect(Math.abs(point.x - label.x) < label.width / 2 && Math.abs(point.y - label.y) < label.height / 2, words).toBe(false);
          }
          for (const box of plan.states) if (!box.isGroup) expect(overlap(label, box), words).toBe(false);
        }
      }
  });

  it('has room for everything', () => {
    for (const machine of [impact, friction, stages])
      for (const isNarrow of [false, true]) {
        const plan = planOf(machine.states, machine.transitions, isNarrow);
        for (const arrow of plan.arrows)
          for (const point of [...pointsOf(arrow), arrow.label]) {
            expect(point.x).toBeGreaterThan(plan.left);
            expect(point.y).toBeGreaterThan(plan.top);
            expect(point.x).toBeLessThan(plan.left + plan.width);
            expect(point.y).toBeLessThan(plan.top + plan.height);
          }
      }
  });

  it('leads the arrow keys to the nearest state of a direction', () => {
    const plan = planOf(impact.states, impact.transitions, false);
    expect(neighbourOf(plan, 'free', 1, 0)).toBe('touching');
    expect(neighbourOf(plan, 'free', -1, 0)).toBe('free');
    expect(neighbourOf(plan, 'nothing', 1, 0)).toBe('free');
  });

  it('is empty for a machine without states, and leaves out arrows to what is not there', () => {
    expect(planOf([], [], false).arrows).toEqual([]);
    expect(planOf(impact.states.slice(0, 1), impact.transitions, false).arrows).toEqual([]);
  });
});
