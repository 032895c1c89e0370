// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import type { Column, RunInfo } from '../protocol';
import { ownerOf, paneFor, treeOf, usualPanes } from './columns';

const column = (name: string, group: Column['group'], unit = '', kind: Column['kind'] = 'number'): Column => ({ name, group, unit, kind, states: [] });
const columns = [
  column('F13', 'junction', '', 'junction'), column('body1.p', 'stored', 'N*s'), column('body2.p', 'stored', 'N*s'), column('gap', 'signal', 'm'),
  column('speed', 'signal', 'm/s'), column('is_near', 'signal', '', 'boolean'), column('body1.e', 'effort', 'N'), column('body1.f', 'flow', 'm/s'), column('energy(body1)', 'energy', 'J'),
];
const runs = [{ columns } as RunInfo];

describe('what a new run shows', () => {
  it('is what is stored and the signals, by unit, and the junctions as lanes', () => {
    expect(usualPanes(columns).map((pane) => pane.curves.map((curve) => curve.column))).toEqual([['body1.p', 'body2.p'], ['gap'], ['F13']]);
  });
  it('is nothing where there is nothing', () => {
    expect(usualPanes([])).toEqual([]);
  });
});

describe('a column that is added', () => {
  const panes = usualPanes(columns);
  it('joins the pane of its unit', () => {
    expect(paneFor(panes, runs, column('height', 'signal', 'm'))).toBe(2);
  });
  it('joins the lanes when it is switched', () => {
    expect(paneFor(panes, runs, column('is_near', 'signal', '', 'boolean'))).toBe(3);
  });
  it('gets a pane of its own when nothing has its unit, or it has none', () => {
    expect(paneFor(panes, runs, column('energy(body1)', 'energy', 'J'))).toBeNull();
    expect(paneFor([{ id: 1, curves: [{ column: 'x' }] }], [{ columns: [column('x', 'signal'), column('y', 'signal')] } as RunInfo], column('y', 'signal'))).toBeNull();
  });
});

describe('the tree', () => {
  it('has efforts and flows by what they belong to', () => {
    const tree = treeOf(columns, '');
    expect(tree.map((group) => group.title)).toEqual(['Stored quantities', 'Signals', 'Junctions', 'Energies', 'Efforts and flows']);
    expect(tree.at(-1)?.groups.map((group) => [group.title, group.columns.length])).toEqual([['body1', 2]]);
  });
  it('is searched by words and units', () => {
    expect(treeOf(columns, 'body1 n*s').flatMap((group) => group.columns.map((found) => found.name))).toEqual(['body1.p']);
    expect(treeOf(columns, 'nothing of this name')).toEqual([]);
  });
  it('knows what a column belongs to', () => {
    expect(['body1.p', 'energy(body1)', 'a.b.e', 'gap', 'impulse(link.e)'].map(ownerOf)).toEqual(['body1', 'body1', 'a.b', 'gap', 'link']);
  });
});
