// SPDX-License-Identifier: BSD-3-Clause
// What React Flow is given: nodes of the view, and the places at which they are while they are dragged. What has not changed stays the same
// object, so that only what moves is drawn anew.
import { useStoreApi } from '@xyflow/react';
import type { Node, NodeChange } from '@xyflow/react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { currentSession } from '../document/current';
import type { Box, Point } from '../geometry';
import { useStudio } from '../parts';
import { moveSymbols, placeOf, symbolNamed } from './actions';
import type { Boxes } from './BondLayer';
import { labelSides } from './labelSide';
import type { Side } from './labelSide';
import { whyNotEditable } from './level';
import { snap } from './snapping';
import { paper, setCanvas, useCanvas } from './state';
import type { SymbolFlowNode } from './SymbolNode';
import { keepEqual, noProblems, problemsOf, viewOf, withMachines } from './view';
import type { BondView, LinkView, SymbolView, View } from './view';

type Drag = { lead: string; starts: Map<string, Point>; others: Point[] };

export type Drawing = {
  nodes: SymbolFlowNode[];
  bonds: BondView[];
  links: LinkView[];
  boxes: Boxes; // where symbols are at this moment
  rest: Boxes; // where they are but for what is dragged
  symbols: SymbolView[];
  selectedSymbols: string[];
  selectedBonds: string[];
  isEditable: boolean;
  isMythical: boolean;
  onNodesChange: (changes: NodeChange<SymbolFlowNode>[]) => void;
  onDragStart: (event: unknown, node: Node | undefined, nodes: Node[]) => void;
  onDragStop: (event: unknown, node: Node | undefined, nodes: Node[]) => void;
};

const emptyView: View = { symbols: [], bonds: [], links: [], isMythical: false };
const noMoves = new Map<string, Point>();
const noHandles: never[] = []; // and so React Flow need not look for them: else all symbols would be put on the page once, seen or not

// The view, with all of the one before that is still true.
const useView = (): View => {
  const answer = useStudio((state) => state.look);
  const { look, text } = useMemo(() => {
    const known = answer && useStudio.getState().isLookCurrent ? (currentSession()?.state.doc.toString() ?? null) : null;
    return { look: answer && withMachines(answer, known), text: known };
  }, [answer]);
  const row = useStudio((state) => state.cursor?.answer ?? null);
  const values = useStudio((state) => state.shownValues);
  const power = useStudio((state) => state.shownPower);
  const last = useRef<View>(emptyView);
  const problems = useMemo(() => {
    if (!look || look.problems.length === 0) return noProblems;
    return problemsOf(look, text);
  }, [look, text]);
  return useMemo(() => {
    const next = look ? viewOf(look, row, { values, power }, problems) : emptyView;
    const before = last.current;
    last.current = {
      symbols: keepEqual<SymbolView>(before.symbols, next.symbols, (each) => each.symbol.name),
      bonds: keepEqual<BondView>(before.bonds, next.bonds, (each) => each.key),
      links: keepEqual<LinkView>(before.links, next.links, (each) => each.key),
      isMythical: next.isMythical,
    };
    return last.current;
  }, [look, row, values, power, problems]);
};

// `live`: the symbols that are elements of the page; null: all.
export const useDrawing = (live: Set<string> | null): Drawing => {
  const store = useStoreApi();
  const view = useView();
  const diagram = useStudio((state) => state.look?.diagram ?? null);
  const isLookCurrent = useStudio((state) => state.isLookCurrent);
  const isReadOnly = useStudio((state) => state.isReadOnly);
  const selection = useStudio((state) => state.selection);
  const moved = useCanvas((state) => state.moved);
  const [dragged, setDragged] = useState<Map<string, Point>>(noMoves);
  const drag = useRef<Drag | null>(null);
  const places = useRef(noMoves);
  const show = useCallback((next: Map<string, Point>) => {
    places.current = next;
    setDragged(next);
  }, []);
  const isEditable = whyNotEditable(diagram, isReadOnly) === '';
  const sides = useMemo(() => (diagram ? labelSides(diagram) : new Map<string, Side>()), [diagram]);

  // The server's places count as soon as it has looked at the text that has them.
  useEffect(() => {
    if (isLookCurrent && useCanvas.getState().moved.size > 0) setCanvas({ moved: new Map() });
  }, [diagram, isLookCurrent]);

  const cache = useRef(new Map<string, SymbolFlowNode>());
  const nodes = useMemo(() => {
    const chosen = new Set(selection.symbols);
    const next = new Map<string, SymbolFlowNode>();
    for (const symbolView of view.symbols) {
      const { symbol } = symbolView;
      const at = dragged.get(symbol.name) ?? moved.get(symbol.name) ?? symbol;
      const side = sides.get(symbol.name) ?? 'below';
      const isSelected = chosen.has(symbol.name);
      const isHidden = live !== null && !live.has(symbol.name);
      const old = cache.current.get(symbol.name);
      const isSame =
        old && old.hidden === isHidden && old.data.view === symbolView && old.position.x === at.x && old.position.y === at.y && old.selected === isSelected && old.data.side === side && old.data.isEditable === isEditable;
      next.set(symbol.name, isSame ? old : {
        id: symbol.name, type: 'symbol', position: { x: at.x, y: at.y }, width: symbol.width, height: symbol.height, measured: { width: symbol.width, height: symbol.height },
        // by its corner and not by a transformation: a thousand of those are what makes browsers slow
        style: { transform: 'none', left: at.x - symbol.width / 2, top: at.y - symbol.height / 2 },
        handles: noHandles, hidden: isHidden, selected: isSelected, data: old && old.data.view === symbolView && old.data.side === side && old.data.isEditable === isEditable ? old.data : { view: symbolView, side, isEditable },
      });
    }
    cache.current = next;
    return [...next.values()];
  }, [view.symbols, dragged, moved, selection.symbols, sides, isEditable, live]);

  const boxes = useMemo(() => {
    const all = new Map<string, Box>();
    for (const node of nodes) all.set(node.id, { x: node.position.x, y: node.position.y, width: node.width ?? 0, height: node.height ?? 0 });
    return all;
  }, [nodes]);

  // While something is dragged, all that does not move keeps its map, and what is drawn by it is not drawn again.
  const lastRest = useRef<Boxes>(boxes);
  if (dragged.size === 0) lastRest.current = boxes;

  const onNodesChange = useCallback((changes: NodeChange<SymbolFlowNode>[]) => {
    let chosen: Set<string> | null = null;
    let lead: Point | undefined;
    for (const change of changes) {
      if (change.type === 'select') {
        chosen ??= new Set(useStudio.getState().selection.symbols);
        if (change.selected) chosen.add(change.id);
        else chosen.delete(change.id);
      }
      if (change.type === 'position' && change.dragging && change.id === drag.current?.lead) lead = change.position;
    }
    const isFramed = live !== null && store.getState().userSelectionRect !== null; // then live.ts tells what is chosen
    if (chosen && !isFramed) {
      const { selection: was, select } = useStudio.getState();
      const isAdding = was.symbols.length > 0 && [...chosen].some((name) => was.symbols.includes(name));
      select({ symbols: [...chosen], bonds: isAdding ? was.bonds : [] });
    }
    const held = drag.current;
    const start = held?.starts.get(held.lead);
    if (!lead || !held || !start) return;
    const snapped = snap(lead, held.others, paper()?.flow.getZoom() ?? 1);
    const by = { x: snapped.x - start.x, y: snapped.y - start.y };
    setCanvas({ guides: snapped.guides });
    show(new Map([...held.starts].map(([name, at]) => [name, { x: at.x + by.x, y: at.y + by.y }])));
  }, [show, live, store]);

  const onDragStart = useCallback((_event: unknown, node: Node | undefined, dragging: Node[]) => {
    if (!node) return;
    const starts = new Map<string, Point>();
    for (const each of dragging) {
      const symbol = symbolNamed(each.id);
      if (symbol) starts.set(each.id, placeOf(symbol));
    }
    const others = (useStudio.getState().look?.diagram?.symbols ?? []).filter((symbol) => !starts.has(symbol.name)).map(placeOf);
    drag.current = { lead: node.id, starts, others };
    setCanvas({ menu: null, quickAdd: null });
  }, []);

  const onDragStop = useCallback(() => {
    const held = drag.current;
    drag.current = null;
    setCanvas({ guides: [] });
    const changed = [...places.current].filter(([name, at]) => {
      const start = held?.starts.get(name);
      return start && (start.x !== at.x || start.y !== at.y);
    });
    if (changed.length > 0) void moveSymbols(changed.map(([name, at]) => ({ name, ...at })));
    show(noMoves);
  }, [show]);

  return {
    nodes, bonds: view.bonds, links: view.links, boxes, rest: lastRest.current, symbols: view.symbols, selectedSymbols: selection.symbols, selectedBonds: selection.bonds, isEditable, isMythical: view.isMythical, onNodesChange, onDragStart, onDragStop,
  };
};
