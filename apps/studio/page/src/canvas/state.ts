// SPDX-License-Identifier: BSD-3-Clause
// What the drawing is in the middle of: nothing of this is in the text yet, and no other part of the page needs it.
import type { ReactFlowInstance } from '@xyflow/react';
import { create } from 'zustand';
import type { Point } from '../geometry';
import type { SubmodelInfo } from '../protocol';
import type { BlockRow } from './blockTable';
import type { Joining } from './connectRules';
import type { ElementRow } from './elementTable';
import type { Guide } from './snapping';

// What can be placed.
export type Item =
  | { sort: 'element'; row: ElementRow }
  | { sort: 'block'; row: BlockRow }
  | { sort: 'submodel'; info: SubmodelInfo };

// The one field that is open on the drawing.
export type Entry =
  | { kind: 'place'; item: Item; at: Point; text: string; selected: [number, number]; joinTo: string; goesOn: boolean }
  | { kind: 'rename'; name: string; text: string }
  | { kind: 'part'; name: string; part: 'arguments' | 'law' | 'value'; text: string };

// A bond that is being drawn. `isHeld`: by the pressed button; else from key to key.
export type Connecting = { from: string; to: string | null; at: Point; screen: Point; joining: Joining | null; isHeld: boolean };

export type MenuTarget = { kind: 'paper' } | { kind: 'symbol'; name: string } | { kind: 'bond'; key: string };
export type Menu = { screen: Point; at: Point; target: MenuTarget };
export type QuickAdd = { screen: Point; at: Point; joinTo: string };

export type CanvasState = {
  tool: 'select' | 'bond';
  armed: Item | null; // of the palette: the next click places it
  entry: Entry | null;
  entryReason: string; // why the field could not be taken over
  connecting: Connecting | null;
  quickAdd: QuickAdd | null;
  menu: Menu | null;
  isNaming: boolean; // the name of a submodel that is to be made of the selection
  guides: Guide[];
  moved: Map<string, Point>; // places that the server has not answered for yet
};

export const useCanvas = create<CanvasState>()(() => ({
  tool: 'select', armed: null, entry: null, entryReason: '', connecting: null, quickAdd: null, menu: null, isNaming: false, guides: [], moved: new Map(),
}));
export const setCanvas = (change: Partial<CanvasState>): void => useCanvas.setState(change);

// The paper that is on the screen; null while there is none.
type Paper = { flow: ReactFlowInstance; element: HTMLElement };
let shown: Paper | null = null;
export const paper = (): Paper | null => shown;
export const setPaper = (next: Paper | null): void => {
  shown = next;
};

// Where the pointer is over the paper, on the screen; null elsewhere. It moves too often for a store.
let at: Point | null = null;
export const pointerNow = (): Point | null => at;
export const setPointer = (next: Point | null): void => {
  at = next;
};
