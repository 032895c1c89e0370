// SPDX-License-Identifier: BSD-3-Clause
// From far away a large drawing is one picture, and only the symbols near the pointer are elements of the page, to be taken hold of. What a frame
// encloses is then found here, since React Flow looks at elements of the page alone.
import { useStoreApi } from '@xyflow/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Box, Point } from '../geometry';
import { useStudio } from '../parts';
import { diagramNow, placeOf } from './actions';

const least = 300; // symbols: fewer are no burden
const reach = 40; // [px on the screen] round the pointer

const isNear = (box: Box, at: Point, away: number): boolean => Math.abs(box.x - at.x) < away + box.width / 2 && Math.abs(box.y - at.y) < away + box.height / 2;
const areSame = (one: Set<string>, other: Set<string>): boolean => one.size === other.size && [...one].every((each) => other.has(each));

// The symbols within `away` of a place, by name.
export const namesNear = (symbols: Iterable<Box & { name: string }>, at: Point, away: number): Set<string> => {
  const names = new Set<string>();
  for (const symbol of symbols) if (isNear(symbol, at, away)) names.add(symbol.name);
  return names;
};

// The symbols that lie wholly within a frame of the drawing, given by its corner and size.
export const namesWithin = (symbols: Iterable<Box & { name: string }>, frame: Box): string[] => {
  const names: string[] = [];
  for (const { name, x, y, width, height } of symbols) {
    const isWithin = x - width / 2 >= frame.x && x + width / 2 <= frame.x + frame.width && y - height / 2 >= frame.y && y + height / 2 <= frame.y + frame.height;
    if (isWithin) names.push(name);
  }
  return names;
};

const symbolsNow = (): (Box & { name: string })[] => (diagramNow()?.symbols ?? []).map((symbol) => ({ name: symbol.name, ...placeOf(symbol), width: symbol.width, height: symbol.height }));

export type Live = {
  names: Set<string> | null; // of the symbols that are elements of the page; null: all of them
  follow: (at: Point, zoom: number, buttons: number) => void; // the pointer, in the drawing
};

export const useLive = (isFar: boolean): Live => {
  const count = useStudio((state) => state.look?.diagram?.symbols.length ?? 0);
  const isSparse = isFar && count > least;
  const store = useStoreApi();
  const [names, setNames] = useState(new Set<string>());
  const last = useRef(names);

  const follow = useCallback((at: Point, zoom: number, buttons: number) => {
    if (!isSparse || buttons !== 0) return; // what is held stays
    const next = namesNear(symbolsNow(), at, reach / zoom);
    if (areSame(next, last.current)) return;
    last.current = next;
    flushSync(() => setNames(next)); // the button may be pressed at once
  }, [isSparse]);

  useEffect(() => {
    if (!isSparse) return undefined;
    let frame = store.getState().userSelectionRect;
    return store.subscribe(({ userSelectionRect, transform }) => {
      if (userSelectionRect === frame) return;
      frame = userSelectionRect;
      if (!frame || (frame.width === 0 && frame.height === 0)) return;
      const [x, y, zoom] = transform;
      const symbols = namesWithin(symbolsNow(), { x: (frame.x - x) / zoom, y: (frame.y - y) / zoom, width: frame.width / zoom, height: frame.height / zoom });
      const { selection, select } = useStudio.getState();
      if (symbols.length !== selection.symbols.length || symbols.some((name, at) => name !== selection.symbols[at])) select({ symbols, bonds: [] });
    });
  }, [isSparse, store]);

  return { names: isSparse ? names : null, follow };
};
