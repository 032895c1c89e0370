// SPDX-License-Identifier: BSD-3-Clause
// Drawing a bond from one symbol to another: by the pressed button, or from key to key.
import type { Point } from '../geometry';
import { useStudio } from '../parts';
import { connect, diagramNow, mayEdit, placeOf, symbolNamed } from './actions';
import { joining, whyNotFrom } from './connectRules';
import { paper, pointerNow, setCanvas, useCanvas } from './state';
import type { Connecting } from './state';

const near = 12; // [px of the paper] round a symbol's box that belong to it
const far = 5; // [px] that the pointer moves before it is a drag

export const symbolAt = (at: Point): string | null => {
  let best: string | null = null;
  let distance = Infinity;
  for (const symbol of diagramNow()?.symbols ?? []) {
    const place = placeOf(symbol);
    const across = Math.abs(place.x - at.x) - symbol.width / 2;
    const down = Math.abs(place.y - at.y) - symbol.height / 2;
    const away = Math.max(across, down);
    if (away <= near && away < distance) {
      best = symbol.name;
      distance = away;
    }
  }
  return best;
};

const follow = (state: Connecting, screen: Point): Connecting => {
  const sheet = paper();
  const diagram = diagramNow();
  if (!sheet || !diagram) return state;
  const at = sheet.flow.screenToFlowPosition(screen);
  const under = symbolAt(at);
  const to = under === state.from ? null : under;
  return { ...state, at, screen, to, joining: to === null ? null : to === state.to ? state.joining : joining(diagram, state.from, to) };
};

export const beginConnecting = (from: string, x: number, y: number): void => {
  const diagram = diagramNow();
  const sheet = paper();
  if (!diagram || !sheet || !mayEdit()) return;
  const start = { x, y };
  let isDrag = false;
  const onMove = (event: globalThis.PointerEvent): void => {
    const screen = { x: event.clientX, y: event.clientY };
    if (!isDrag && Math.hypot(screen.x - start.x, screen.y - start.y) < far) return;
    if (!isDrag) {
      isDrag = true;
      const reason = whyNotFrom(diagram, from);
      setCanvas({
        connecting: { from, to: null, at: sheet.flow.screenToFlowPosition(screen), screen, joining: reason ? { kind: 'none', reason } : null, isHeld: true },
        menu: null, quickAdd: null, entry: null, armed: null,
      });
    }
    const state = useCanvas.getState().connecting;
    if (state) setCanvas({ connecting: follow(state, screen) });
  };
  const stop = (): void => {
    window.removeEventListener('pointermove', onMove);
    window.removeEventListener('pointerup', onUp);
    window.removeEventListener('keydown', onKey, true);
  };
  const onUp = (event: globalThis.PointerEvent): void => {
    stop();
    if (!isDrag) useStudio.getState().select({ symbols: [from], bonds: [] });
    else void finishConnecting({ x: event.clientX, y: event.clientY });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    stop();
    setCanvas({ connecting: null });
  };
  window.addEventListener('pointermove', onMove);
  window.addEventListener('pointerup', onUp);
  window.addEventListener('keydown', onKey, true);
};

// From key to key: the pointer or Tab chooses the other end, a click or Enter joins.
export const beginKeyConnecting = (from: string): void => {
  const symbol = symbolNamed(from);
  const sheet = paper();
  if (!symbol || !sheet || !mayEdit()) return;
  const at = pointerNow();
  const screen = at ?? sheet.flow.flowToScreenPosition({ x: placeOf(symbol).x + 60, y: placeOf(symbol).y });
  const start: Connecting = { from, to: null, at: sheet.flow.screenToFlowPosition(screen), screen, joining: null, isHeld: false };
  setCanvas({ connecting: at ? follow(start, screen) : start, menu: null, quickAdd: null, entry: null, armed: null });
};

export const followPointer = (screen: Point): void => {
  const state = useCanvas.getState().connecting;
  if (state && !state.isHeld) setCanvas({ connecting: follow(state, screen) });
};

export const nextTarget = (step: 1 | -1): void => {
  const state = useCanvas.getState().connecting;
  const diagram = diagramNow();
  const sheet = paper();
  if (!state || !diagram || !sheet) return;
  const possible = diagram.symbols.filter((symbol) => symbol.name !== state.from && joining(diagram, state.from, symbol.name).kind !== 'none');
  if (possible.length === 0) return;
  const from = symbolNamed(state.from);
  const distance = (name: string): number => {
    const symbol = symbolNamed(name);
    return symbol && from ? Math.hypot(placeOf(symbol).x - placeOf(from).x, placeOf(symbol).y - placeOf(from).y) : 0;
  };
  const names = possible.map((symbol) => symbol.name).sort((one, other) => distance(one) - distance(other) || (one < other ? -1 : 1));
  const at = names.indexOf(state.to ?? '');
  const to = names[at < 0 ? (step > 0 ? 0 : names.length - 1) : (at + step + names.length) % names.length]!;
  const place = placeOf(symbolNamed(to)!);
  setCanvas({ connecting: { ...state, to, at: place, screen: sheet.flow.flowToScreenPosition(place), joining: joining(diagram, state.from, to) } });
};

// Joins with what is under the pointer; upon free paper something new can be chosen.
export const finishConnecting = async (screen?: Point): Promise<void> => {
  const state = useCanvas.getState().connecting;
  const sheet = paper();
  if (!state || !sheet) return;
  setCanvas({ connecting: null });
  const { from, to } = state;
  if (to !== null) {
    if (state.joining?.kind === 'none') useStudio.getState().notify('info', state.joining.reason);
    else {
      const reason = await connect(from, to);
      if (reason) useStudio.getState().notify('warning', reason);
    }
    return;
  }
  if (state.joining?.kind === 'none') {
    useStudio.getState().notify('info', state.joining.reason);
    return;
  }
  const at = screen ?? state.screen;
  const inside = sheet.element.getBoundingClientRect();
  if (at.x < inside.left || at.x > inside.right || at.y < inside.top || at.y > inside.bottom) return;
  const place = sheet.flow.screenToFlowPosition(at);
  const symbol = symbolNamed(from);
  // a bond of no length was not meant
  if (symbol && Math.abs(place.x - placeOf(symbol).x) < symbol.width / 2 + near && Math.abs(place.y - placeOf(symbol).y) < symbol.height / 2 + near) return;
  setCanvas({ quickAdd: { screen: at, at: place, joinTo: from } });
};
