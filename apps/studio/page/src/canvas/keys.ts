// SPDX-License-Identifier: BSD-3-Clause
// The keys of the drawing.
import { elementRows } from './elementTable';

export type Command =
  | { name: 'place'; kind: string }
  | { name: 'move'; x: number; y: number }
  | { name: 'next'; step: 1 | -1 }
  | {
      name:
        | 'signal' | 'bond' | 'reverse' | 'delete' | 'rename' | 'enter' | 'leave' | 'escape' | 'all' | 'copy' | 'cut' | 'duplicate' | 'undo' | 'redo' | 'extract'
        | 'fit' | 'zoom-in' | 'zoom-out' | 'zoom-one' | 'add' | 'machine' | 'arrange' | 'label' | 'menu';
    };

type Pressed = { key: string; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean; altKey: boolean };

export const coarse = 20; // [px] steps of the arrow keys
export const fine = 5;

const withControl: Record<string, Command> = {
  a: { name: 'all' }, c: { name: 'copy' }, x: { name: 'cut' }, d: { name: 'duplicate' }, g: { name: 'extract' }, y: { name: 'redo' },
  '+': { name: 'zoom-in' }, '=': { name: 'zoom-in' }, '-': { name: 'zoom-out' }, '0': { name: 'zoom-one' },
};
const alone: Record<string, Command> = {
  Delete: { name: 'delete' }, Backspace: { name: 'delete' }, F2: { name: 'rename' }, Enter: { name: 'enter' }, Escape: { name: 'escape' },
  '+': { name: 'zoom-in' }, '=': { name: 'zoom-in' }, '-': { name: 'zoom-out' }, Home: { name: 'fit' }, z: { name: 'fit' },
  b: { name: 'bond' }, x: { name: 'reverse' }, s: { name: 'signal' }, m: { name: 'machine' }, l: { name: 'arrange' }, a: { name: 'label' },
  '/': { name: 'add' }, ' ': { name: 'add' }, u: { name: 'leave' }, ContextMenu: { name: 'menu' },
};

export const commandOf = (pressed: Pressed): Command | null => {
  const key = pressed.key.length === 1 ? pressed.key.toLowerCase() : pressed.key;
  if (pressed.ctrlKey || pressed.metaKey) {
    if (pressed.altKey) return null;
    if (key === 'z') return { name: pressed.shiftKey ? 'redo' : 'undo' };
    return withControl[key] ?? null;
  }
  if (pressed.altKey) return key === 'ArrowUp' ? { name: 'leave' } : null;
  const step = pressed.shiftKey ? fine : coarse;
  switch (key) {
    case 'ArrowLeft': return { name: 'move', x: -step, y: 0 };
    case 'ArrowRight': return { name: 'move', x: step, y: 0 };
    case 'ArrowUp': return { name: 'move', x: 0, y: -step };
    case 'ArrowDown': return { name: 'move', x: 0, y: step };
    case 'Tab': return { name: 'next', step: pressed.shiftKey ? -1 : 1 };
    case 'F10': return pressed.shiftKey ? { name: 'menu' } : null;
  }
  const row = elementRows.find((each) => each.key === key);
  if (row) return { name: 'place', kind: row.kind };
  return alone[key] ?? null;
};
