// SPDX-License-Identifier: BSD-3-Clause
// What a key does upon the drawing. True when it does something.
import type { KeyboardEvent } from 'react';
import { useStudio } from '../parts';
import { useLayout } from '../shell/layout';
import {
  beginPlacing, beginRename, connect, copySelected, cutSelected, diagramNow, duplicateSelected, editLabel, enter, fit, giveMachine, layOut, leave, mayEdit, nudge, placeForNew,
  placeOf, removeSelected, reverseBonds, selectNext, symbolNamed,
} from './actions';
import { blockRows } from './blockTable';
import { beginKeyConnecting, finishConnecting, nextTarget } from './connecting';
import { elementRows } from './elementTable';
import { commandOf } from './keys';
import type { Command } from './keys';
import { paper, pointerNow, setCanvas, useCanvas } from './state';

export const pressKey = (event: KeyboardEvent): boolean => {
  const target = event.target as HTMLElement;
  if (target.closest('input, textarea, select, [contenteditable="true"]')) return false;
  if (target.tagName === 'BUTTON' && (event.key === 'Enter' || event.key === ' ' || event.key === 'Tab')) return false;
  const command = commandOf(event);
  if (!command) return false;
  return useCanvas.getState().connecting ? whileConnecting(command) : carryOut(command);
};

const whileConnecting = (command: Command): boolean => {
  switch (command.name) {
    case 'next': nextTarget(command.step); return true;
    case 'move': nextTarget(command.x > 0 || command.y > 0 ? 1 : -1); return true;
    case 'enter': void finishConnecting(); return true;
    case 'escape': setCanvas({ connecting: null }); return true;
    default: return false;
  }
};

const carryOut = (command: Command): boolean => {
  const { selection, select, undo, redo } = useStudio.getState();
  const only = selection.symbols.length === 1 ? selection.symbols[0]! : '';
  const diagram = diagramNow();
  const flow = paper()?.flow;
  switch (command.name) {
    case 'place': {
      const row = elementRows.find((each) => each.kind === command.kind);
      if (row) beginPlacing({ sort: 'element', row }, placeForNew());
      return true;
    }
    case 'signal': {
      const row = blockRows[0];
      if (row) beginPlacing({ sort: 'block', row }, placeForNew());
      return true;
    }
    case 'move':
      if (selection.symbols.length === 0) return false;
      nudge(command.x, command.y);
      return true;
    case 'next': return selectNext(command.step);
    case 'bond': return beginBond(selection.symbols);
    case 'reverse': reverseBonds(selection.bonds); return selection.bonds.length > 0;
    case 'delete': void removeSelected(); return true;
    case 'rename': if (only) beginRename(only); return true;
    case 'label': if (only) void editLabel(only); return only !== '';
    case 'machine':
      if (only) void giveMachine(only);
      if (only && symbolNamed(only)?.machine) useLayout.getState().toggle('inspector', true);
      return only !== '';
    case 'enter': return only !== '' && (enter(only) || openLabel(only));
    case 'leave': leave(); return true;
    case 'escape': return giveUp();
    case 'all': select({ symbols: (diagram?.symbols ?? []).map((symbol) => symbol.name), bonds: [] }); return true;
    case 'copy': void copySelected(); return selection.symbols.length > 0;
    case 'cut': void cutSelected(); return selection.symbols.length > 0;
    case 'duplicate': void duplicateSelected(); return true;
    case 'undo': undo(); return true;
    case 'redo': redo(); return true;
    case 'extract':
      if (selection.symbols.length > 0 && mayEdit()) setCanvas({ isNaming: true });
      return true;
    case 'fit': fit(); return true;
    case 'zoom-in': void flow?.zoomIn(); return true;
    case 'zoom-out': void flow?.zoomOut(); return true;
    case 'zoom-one': void flow?.zoomTo(1); return true;
    case 'arrange': void layOut(selection.symbols); return true;
    case 'add': return openQuickAdd();
    case 'menu': return openMenu(only);
  }
};

const openLabel = (name: string): boolean => {
  void editLabel(name);
  return true;
};

// Two are joined in the order in which they were chosen; from one it is drawn on; without any the tool is taken or put back.
const beginBond = (symbols: string[]): boolean => {
  if (!mayEdit()) return true;
  if (symbols.length === 2) {
    void connect(symbols[0]!, symbols[1]!).then((reason) => {
      if (reason) useStudio.getState().notify('warning', reason);
    });
  } else if (symbols.length === 1) beginKeyConnecting(symbols[0]!);
  else setCanvas({ tool: useCanvas.getState().tool === 'bond' ? 'select' : 'bond' });
  return true;
};

const giveUp = (): boolean => {
  const state = useCanvas.getState();
  if (state.armed || state.quickAdd || state.menu || state.tool === 'bond') setCanvas({ armed: null, quickAdd: null, menu: null, tool: 'select' });
  else useStudio.getState().select({ symbols: [], bonds: [] });
  return true;
};

const openQuickAdd = (): boolean => {
  const sheet = paper();
  if (!sheet || !mayEdit()) return true;
  const at = placeForNew();
  setCanvas({ quickAdd: { screen: pointerNow() ?? sheet.flow.flowToScreenPosition(at), at, joinTo: '' } });
  return true;
};

const openMenu = (name: string): boolean => {
  const sheet = paper();
  const symbol = name ? symbolNamed(name) : undefined;
  if (!sheet) return false;
  const at = symbol ? placeOf(symbol) : placeForNew();
  const bond = useStudio.getState().selection.bonds[0];
  setCanvas({ menu: { screen: sheet.flow.flowToScreenPosition(at), at, target: symbol ? { kind: 'symbol', name } : bond ? { kind: 'bond', key: bond } : { kind: 'paper' } } });
  return true;
};
