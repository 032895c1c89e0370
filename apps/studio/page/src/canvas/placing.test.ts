// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { placeElement, placeInstance, placeSignal } from './placing';
import type { Known } from './placing';

const known: Known = { names: new Set(['m1', 'motion', 'x']), machineTypes: new Set(['Contact']) };

describe('placing an element', () => {
  it('writes what was typed as one statement', () => {
    expect(placeElement('I', 'body1(m1) start f = 2', known).statements).toBe('I body1(m1)  start f = 2');
    expect(placeElement('R', 'damper: e = 9*f*abs(f)', known).statements).toBe('R damper: e = 9*f*abs(f)');
    expect(placeElement('1', 'motion1', known).statements).toBe('1 motion1');
  });
  it('declares a parameter that is written with its value', () => {
    const placing = placeElement('I', 'body1(m = 2 [kg]) start f = v', known);
    expect(placing.statements).toBe('param m = 2 [kg]\nparam v = 0\nI body1(m)  start f = v');
    expect(placing.added).toEqual(['m', 'v']);
  });
  it('declares a parameter whose name stands alone, but not for sources, which may be controlled', () => {
    expect(placeElement('R', 'damper(d)', known).statements).toBe('param d = 1\nR damper(d)');
    expect(placeElement('I', 'body1(m1)', known).statements).toBe('I body1(m1)');
    expect(placeElement('Se', 'drive(u)', known).statements).toBe('Se drive(u)');
    expect(placeElement('Sf', 'bounce(r*pre(v))', known).statements).toBe('Sf bounce(r*pre(v))');
  });
  it('leaves the stiffness of a spring what it is', () => {
    expect(placeElement('C', 'spring(K = 100 [N/m])', known).statements).toBe('C spring(K = 100 [N/m])');
    expect(placeElement('C', 'spring(K = k)', known).statements).toBe('param k = 1\nC spring(K = k)');
    expect(placeElement('C', 'spring(K = k = 4)', known).statements).toBe('param k = 4\nC spring(K = k)');
  });
  it('makes the machine of a junction when there is none of that name', () => {
    expect(placeElement('0', 'contact by Contact', known).statements).toBe('0 contact  by Contact');
    const placing = placeElement('0', 'F by Impact', known);
    expect(placing.added).toEqual(['Impact']);
    expect(placing.statements).toContain('machine Impact {');
  });
  it('says what is wrong', () => {
    expect(placeElement('I', '', known).reason).toMatch(/name/);
    expect(placeElement('I', '2x', known).reason).toMatch(/no name/);
    expect(placeElement('I', 'motion', known).reason).toMatch(/already/);
    expect(placeElement('I', 'body(m1', known).reason).toMatch(/closing/);
    expect(placeElement('I', 'body rest', known).reason).toMatch(/Behind the name/);
    expect(placeElement('I', 'if(2)', known).reason).toMatch(/word of the language/);
  });
});

describe('placing a signal', () => {
  it('writes a block where one call stands, else a signal', () => {
    expect(placeSignal('block', 's = sum(+a, -b)', known).statements).toBe('block s = sum(+a, -b)');
    expect(placeSignal('block', 's = a - b', known).statements).toBe('signal s = a - b');
    expect(placeSignal('signal', 'y = integral(x)', known).statements).toBe('signal y = integral(x)');
  });
  it('does what its symbol says when only its name was typed', () => {
    expect(placeSignal('signal', 'y', known, 'integral(0)').statements).toBe('signal y = integral(0)');
  });
  it('needs an expression', () => {
    expect(placeSignal('signal', 'y', known).reason).toMatch(/name = expression/);
  });
});

describe('placing an instance', () => {
  it('takes arguments', () => {
    expect(placeInstance('Diode', 'd1(R = 2 [Ohm])', known)).toMatchObject({ statements: 'Diode d1(R = 2 [Ohm])', name: 'd1', reason: '' });
    expect(placeInstance('Diode', 'd1(R', known).reason).toMatch(/closing/);
  });
});
