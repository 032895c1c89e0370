// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { friction, impact, stages } from '../fixtures/machines';
import { neighbourOf, planOf } from './layout';
import type { Plan, StateBox } from './layout';

const boxOf = (plan: Plan, name: string): StateBox => {
  const box = plan.states.find((candidate) => candidate.name === name);
  if (!box) throw new Error(name);
  return box;
};
const overlap = (a: StateBox, b: StateBox) => Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2;

// Points of "M.. Q.." and "M.. C.." as they are drawn.
function pointsOf(path: string): { x: number; y: number }[] {
  const numbers = (path.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
  const corners = Array.from({ length: numbers.length / 2 }, (_, index) => ({ x: numbers[2 * index] ?? 0, y: numbers[2 * index + 1] ?? 0 }));
  const at = (list: typeof corners, share: number): { x: number; y: number } =>
    list.length === 1 ? (list[0] ?? { x: 0, y: 0 })
    : at(list.slice(1).map((corner, index) => ({ x: (list[index]?.x ?? 0) * (1 - share) + corner.x * share, y: (list[index]?.y ?? 0) * (1 - share) + corner.y * share })), share);
  return Array.from({ length: 21 }, (_, index) => at(corners, index / 20));
}

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

  it('draws no arrow through the label of another one between the same states', () => {
    for (const machine of [impact, friction]) {
      const plan = planOf(machine.states, machine.transitions, false);
      for (const arrow of plan.arrows)
        for (const other of plan.arrows)
          if (arrow !== other) for (const point of pointsOf(other.path)) expect(Math.hypot(point.x - arrow.label.x, point.y - arrow.label.y)).toBeGreaterThan(7);
    }
  });

  it('has room for everything', () => {
    for (const machine of [impact, friction, stages])
      for (const isNarrow of [false, true]) {
        const plan = planOf(machine.states, machine.transitions, isNarrow);
        for (const arrow of plan.arrows)
          for (const point of [...pointsOf(arrow.path), arrow.label]) {
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
