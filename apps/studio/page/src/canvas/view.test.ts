// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { bulletWood, joinedRow } from '../fixtures/bulletWood';
import { diagram, look, symbol } from '../fixtures/make';
import type { LookAnswer, Problem } from '../protocol';
import { keepEqual, noProblems, problemsOf, viewOf, withMachines } from './view';

const problem = (from: number, to: number, more: Partial<Problem> = {}): Problem => ({
  code: 'E0101', title: '', isError: true, from, to, message: 'wrong', help: '', related: [], fixes: [], ...more,
});
const withProblems = (...problems: Problem[]): LookAnswer => ({ ...bulletWood, problems });

describe('the drawing', () => {
  it('shows the initial mode without a cursor', () => {
    const view = viewOf(bulletWood, null, { values: true, power: true }, noProblems);
    const contact = view.symbols.find((each) => each.symbol.name === 'contact')!;
    expect(contact.isOn).toBe(false);
    expect(contact.state).toBe('apart');
    expect(view.bonds.map((bond) => bond.isOff)).toEqual([false, true, true, false]);
    expect(view.bonds[0]).toMatchObject({ effort: '', flow: '', power: -1 });
  });
  it('shows at the cursor what is on, the states, strokes and values of that instant', () => {
    const view = viewOf(bulletWood, joinedRow, { values: true, power: false }, noProblems);
    const contact = view.symbols.find((each) => each.symbol.name === 'contact')!;
    expect(contact).toMatchObject({ isOn: true, state: 'joined', mark: '' });
    expect(view.bonds[0]!.flow).toBe('0.5');
    expect(view.bonds[3]).toMatchObject({ stroke: 'tail', isDerivative: true, isOff: false });
  });
  it('finds strokes by their ends when they come in another order', () => {
    const turned = { ...joinedRow, strokes: [...joinedRow.strokes].reverse() };
    const view = viewOf(bulletWood, turned, { values: true, power: false }, noProblems);
    expect(view.bonds[3]).toMatchObject({ stroke: 'tail', isDerivative: true });
    expect(view.bonds[0]).toMatchObject({ stroke: 'head', isDerivative: false });
  });
  it('marks switched junctions of mythical modes and pinnacles', () => {
    const mythical = viewOf(bulletWood, { ...joinedRow, kind: 'mythical' }, { values: true, power: false }, noProblems);
    expect(mythical.isMythical).toBe(true);
    expect(mythical.symbols.find((each) => each.symbol.name === 'contact')!.mark).toBe('mythical');
    expect(mythical.symbols.find((each) => each.symbol.name === 'wood')!.mark).toBe('');
    const pinnacle = viewOf(bulletWood, { ...joinedRow, kind: 'pinnacle' }, { values: true, power: false }, noProblems);
    expect(pinnacle.symbols.find((each) => each.symbol.name === 'contact')!.isFlashing).toBe(true);
  });
  it('lays links between the same two symbols beside each other', () => {
    const link = { sort: 'signal' as const, quantity: '', isAPriori: false, isGuard: true };
    const links = [{ ...link, from: 'v', to: 'contact' }, { ...link, from: 'w', to: 'contact' }, { ...link, from: 'v', to: 'contact', isAPriori: true }];
    const view = viewOf({ ...bulletWood, diagram: { ...bulletWood.diagram!, bonds: [], links } }, null, { values: false, power: false }, noProblems);
    expect(view.links.map(({ aside }) => aside)).toEqual([-8, 0, 8]);
  });
  it('gives power as a share of the greatest', () => {
    const row = { ...joinedRow, values: { ...joinedRow.values, 'bullet.e': 4, 'wood.e': -2 } };
    const view = viewOf(bulletWood, row, { values: false, power: true }, noProblems);
    expect(view.bonds.map((bond) => bond.power)).toEqual([1, 0, 0, 0.5]);
    expect(view.bonds[0]!.effort).toBe('');
  });
});

describe('problems of the checker', () => {
  it('stand at the symbol whose name they are about', () => {
    expect(problemsOf(withProblems(problem(101, 104)), null).symbols.get('bullet')).toEqual({ message: 'wrong', isError: true });
  });
  it('stand at the bond whose arrow they are about', () => {
    expect([...problemsOf(withProblems(problem(220, 222)), null).bonds.keys()]).toEqual(['bullet_motion -> contact #0']);
  });
  it('stand at what is declared before them on the same line', () => {
    const text = ' '.repeat(110) + '\n' + ' '.repeat(400);
    expect(problemsOf(withProblems(problem(108, 109)), text).symbols.has('bullet')).toBe(true);
    expect(problemsOf(withProblems(problem(114, 115)), text).symbols.size).toBe(0);
  });
  it('are put together when there are several', () => {
    const both = problemsOf(withProblems(problem(101, 104, { isError: false }), problem(102, 103, { message: 'worse' })), null);
    expect(both.symbols.get('bullet')).toEqual({ message: 'wrong\nworse', isError: true });
  });
});

describe('what has not changed', () => {
  it('is kept, so that it is not drawn again', () => {
    const first = viewOf(bulletWood, null, { values: true, power: false }, noProblems);
    const second = viewOf(bulletWood, joinedRow, { values: true, power: false }, noProblems);
    const kept = keepEqual(first.symbols, second.symbols, (each) => each.symbol.name);
    expect(kept.find((each) => each.symbol.name === 'wood')).toBe(first.symbols.find((each) => each.symbol.name === 'wood'));
    expect(kept.find((each) => each.symbol.name === 'contact')).not.toBe(first.symbols.find((each) => each.symbol.name === 'contact'));
    expect(keepEqual(first.symbols, viewOf(bulletWood, null, { values: true, power: false }, noProblems).symbols, (each) => each.symbol.name)).toBe(first.symbols);
  });
});

describe('a model that is wrong', () => {
  it('shows which junctions are switched, as the text says', () => {
    const text = '0 contact by Contact\n1 motion\n';
    const symbols = [symbol('junction', '0', 'contact', 0, 0, { from: 2, to: 9 }), symbol('junction', '1', 'motion', 0, 0, { from: 23, to: 29 })];
    const wrong = look('M', diagram(symbols, []), { isRight: false, machineTypes: ['Contact'] });
    const shown = withMachines(wrong, text).diagram!.symbols;
    expect(shown[0]).toMatchObject({ machine: 'contact', machineType: 'Contact', width: 30 });
    expect(shown[1]).toBe(symbols[1]);
    expect(withMachines({ ...wrong, isRight: true }, text).diagram!.symbols[0]).toBe(symbols[0]);
  });
});
