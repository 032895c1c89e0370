// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { bond, diagram, symbol } from '../fixtures/make';
import { joining, whyNotFrom } from './connectRules';

const drawn = diagram(
  [
    symbol('element', 'I', 'mass', 0, 0),
    symbol('element', 'C', 'spring', 0, 0),
    symbol('element', 'R', 'damper', 0, 0),
    symbol('element', 'Se', 'weight', 0, 0),
    symbol('element', 'Sf', 'wall', 0, 0),
    symbol('element', 'TF', 'gear', 0, 0),
    symbol('element', 'TF', 'lever', 0, 0),
    symbol('element', 'I', 'coils', 0, 0, { label: '[[L1, M], [M, L2]]' }),
    symbol('junction', '1', 'motion', 0, 0),
    symbol('junction', '0', 'force', 0, 0, { machine: 'force', machineType: 'Contact' }),
    symbol('signal', 'integral', 'x', 0, 0),
    symbol('signal', 'constant', 'k', 0, 0),
    symbol('machine', 'Switch', 'control', 0, 0),
    symbol('port', 'port', 'left', 0, 0),
    symbol('port', 'out', 'speed', 0, 0),
    symbol('port', 'in', 'wanted', 0, 0),
  ],
  [bond('motion', 'mass', 'head'), bond('motion', 'gear', 'head'), bond('motion', 'coils', 'head')],
);
const reason = (from: string, to: string): string => joining(drawn, from, to).reason;

describe('joining two symbols', () => {
  it('lets a bond point into what takes power, whichever way it is drawn', () => {
    expect(joining(drawn, 'motion', 'spring')).toMatchObject({ kind: 'bond', tail: 'motion', head: 'spring' });
    expect(joining(drawn, 'spring', 'motion')).toMatchObject({ kind: 'bond', tail: 'motion', head: 'spring' });
  });
  it('lets a bond leave a source, and goes as it is drawn between junctions', () => {
    expect(joining(drawn, 'damper', 'weight')).toMatchObject({ tail: 'weight', head: 'damper' });
    expect(joining(drawn, 'motion', 'weight')).toMatchObject({ tail: 'weight', head: 'motion' });
    expect(joining(drawn, 'motion', 'force')).toMatchObject({ tail: 'motion', head: 'force' });
  });
  it('refuses a second bond at a one-port and tells the cure', () => {
    expect(reason('motion', 'mass')).toMatch(/I : mass has its one bond already.*junction/);
    expect(reason('mass', 'force')).toMatch(/already/);
  });
  it('takes fields as they come, since their ports are written in their matrix', () => {
    expect(joining(drawn, 'force', 'coils').kind).toBe('bond');
  });
  it('knows which end of a transformer is free', () => {
    expect(reason('force', 'gear')).toMatch(/comes in already/);
    expect(joining(drawn, 'gear', 'force')).toMatchObject({ tail: 'gear', head: 'force' });
    expect(joining(drawn, 'lever', 'force')).toMatchObject({ tail: 'lever', head: 'force' });
  });
  it('refuses what takes power on both sides and two sources', () => {
    expect(reason('spring', 'damper')).toMatch(/junction between/);
    expect(reason('weight', 'wall')).toMatch(/sources/);
  });
  it('refuses a symbol with itself', () => {
    expect(reason('motion', 'motion')).toMatch(/two different/);
  });
  it('lets signals drive sources, resistors and blocks, not storages and junctions', () => {
    expect(joining(drawn, 'x', 'weight').kind).toBe('signal');
    expect(joining(drawn, 'x', 'damper').kind).toBe('signal');
    expect(joining(drawn, 'k', 'x').kind).toBe('signal');
    expect(reason('x', 'k')).toMatch(/no input/);
    expect(reason('x', 'spring')).toMatch(/no input/);
    expect(reason('x', 'motion')).toMatch(/no power/);
    expect(reason('x', 'force')).toMatch(/guard/);
    expect(reason('x', 'left')).toMatch(/no power/);
  });
  it('taps junctions and storages by active bonds', () => {
    expect(joining(drawn, 'motion', 'x').kind).toBe('active');
    expect(joining(drawn, 'mass', 'x').kind).toBe('active');
    expect(reason('damper', 'x')).toMatch(/damper\.e or damper\.f/);
    expect(reason('left', 'x')).toMatch(/left\.e/);
  });
  it('keeps what comes from outside and what goes there apart', () => {
    expect(joining(drawn, 'x', 'speed').kind).toBe('signal');
    expect(joining(drawn, 'wanted', 'x').kind).toBe('signal');
    expect(reason('x', 'wanted')).toMatch(/outside/);
    expect(reason('speed', 'x')).toMatch(/draw to it/);
  });
  it('lets a machine switch a junction that has none', () => {
    expect(joining(drawn, 'control', 'motion')).toMatchObject({ kind: 'switch', tail: 'control', head: 'motion' });
    expect(joining(drawn, 'motion', 'control')).toMatchObject({ kind: 'switch', tail: 'control', head: 'motion' });
    expect(reason('control', 'force')).toMatch(/already/);
    expect(reason('control', 'spring')).toMatch(/switches junctions/);
  });
  it('has an answer for names that are gone', () => {
    expect(reason('gone', 'x')).not.toBe('');
  });
});

describe('beginning a bond', () => {
  it('is refused at an element that has all it can have', () => {
    const full = diagram([symbol('element', 'R', 'damper', 0, 0), symbol('junction', '1', 'motion', 0, 0)], [bond('motion', 'damper', 'head')]);
    expect(whyNotFrom(full, 'damper')).toMatch(/already/);
    expect(whyNotFrom(full, 'motion')).toBe('');
  });
});
