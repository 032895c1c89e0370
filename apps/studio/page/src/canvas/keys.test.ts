// SPDX-License-Identifier: BSD-3-Clause
import { describe, expect, it } from 'vitest';
import { movedBy, movedTo, withPlaces } from './clipboard';
import { elementRows } from './elementTable';
import { allGroups, searched } from './items';
import { commandOf } from './keys';
import { above, wayTo, whyNotEditable } from './level';
import { diagram } from '../fixtures/make';

const press = (key: string, more = {}) => commandOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...more });

describe('keys', () => {
  it('place elements, each by its own letter', () => {
    expect(new Set(elementRows.map((row) => row.key)).size).toBe(elementRows.length);
    for (const row of elementRows) expect(press(row.key)).toEqual({ name: 'place', kind: row.kind });
    expect(press('I')).toEqual({ name: 'place', kind: 'I' });
  });
  it('undo and redo as everywhere', () => {
    expect(press('z', { ctrlKey: true })).toEqual({ name: 'undo' });
    expect(press('Z', { ctrlKey: true, shiftKey: true })).toEqual({ name: 'redo' });
    expect(press('y', { metaKey: true })).toEqual({ name: 'redo' });
  });
  it('leave to the browser what is not theirs', () => {
    expect(press('v', { ctrlKey: true })).toBeNull();
    expect(press('F5')).toBeNull();
  });
  it('move by a step of the grid, and by less with Shift', () => {
    expect(press('ArrowLeft')).toEqual({ name: 'move', x: -20, y: 0 });
    expect(press('ArrowDown', { shiftKey: true })).toEqual({ name: 'move', x: 0, y: 5 });
  });
});

describe('what is copied', () => {
  const text = 'I mass(at)\ndrawing {\n  mass at 40, 120\n  motion at -20.5, 100\n}';
  it('moves with its places, and with nothing else', () => {
    expect(movedBy(text, { x: 10, y: -20 })).toBe('I mass(at)\ndrawing {\n  mass at 50, 100\n  motion at -10.5, 80\n}');
  });
  it('is put with its middle where it is pasted, on the grid of where it came from', () => {
    expect(movedTo('drawing { a at 0, 0; b at 40, 40 }', { x: 125, y: 20 }, 20)).toBe('drawing { a at 100, 0; b at 140, 40 }');
    expect(movedTo('I a', { x: 125, y: 20 }, 20)).toBe('I a');
  });
});

describe('the palette', () => {
  const groups = allGroups([{ name: 'Diode', description: 'a diode', file: 'library:electrical.hbg', ports: ['plus', 'minus'] }, { name: 'Cart', description: '', file: '', ports: ['a'] }]);
  it('has a group for each file that submodels come from', () => {
    expect(groups.map((group) => group.title)).toEqual(['Bond graph', 'Blocks', 'Submodels', 'Electrical']);
  });
  it('finds symbols by kind, title and what they are in the world', () => {
    const first = (sought: string) => {
      const item = searched(groups, sought)[0];
      return item?.sort === 'submodel' ? item.info.name : item?.row.title;
    };
    expect(first('I')).toBe('Inertia');
    expect(first('spring')).toBe('Capacity');
    expect(first('dio')).toBe('Diode');
    expect(first('Se')).toBe('Source of effort');
    expect(first('qqq')).toBeUndefined();
  });
});

describe('levels', () => {
  it('have a way back to the model', () => {
    expect(wayTo('row.wagon[1]', 'Train')).toEqual([{ title: 'Train', level: '' }, { title: 'row', level: 'row' }, { title: 'wagon[1]', level: 'row.wagon[1]' }]);
    expect(above('row.wagon[1]')).toBe('row');
    expect(above('row')).toBe('');
  });
  it('of the library are only looked at', () => {
    expect(whyNotEditable(diagram([], [], [], { file: 'library:electrical.hbg', where: 'Diode' }), false)).toMatch(/library/);
    expect(whyNotEditable(diagram([], []), true)).toMatch(/another name/);
    expect(whyNotEditable(diagram([], []), false)).toBe('');
  });
});

describe('what is copied', () => {
  it('gets the places at which the program drew it', () => {
    expect(withPlaces('I a(1)\n', [{ name: 'a', x: 10.04, y: -20 }])).toBe('I a(1)\ndrawing {\n  a at 10, -20\n}\n');
    expect(withPlaces('I a(1)\ndrawing { b at 1, 2 }', [{ name: 'a', x: 0, y: 0 }])).toBe('I a(1)\ndrawing { b at 1, 2 \n  a at 0, 0\n}');
    expect(withPlaces('I a(1)', [])).toBe('I a(1)');
  });
});
