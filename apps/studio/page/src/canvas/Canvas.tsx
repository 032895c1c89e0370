// SPDX-License-Identifier: BSD-3-Clause
// The drawing of the level that is shown: symbols, bonds, signals; and everything that is done upon it by hand.
import { Background, BackgroundVariant, ReactFlow, ReactFlowProvider, useReactFlow, useStore } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { ClipboardEvent, DragEvent, MouseEvent, PointerEvent } from 'react';
import { useStudio } from '../parts';
import { beginPlacing, diagramNow, fit, mayEdit, paste } from './actions';
import { BondLayer } from './BondLayer';
import { CanvasBar } from './CanvasBar';
import './canvas.css';
import { finishConnecting, followPointer, symbolAt } from './connecting';
import { ContextMenu } from './ContextMenu';
import { EntryField } from './EntryField';
import { FarLayer } from './FarLayer';
import { Guides, PendingBond } from './Overlays';
import { allGroups, keyOf } from './items';
import { LevelPath } from './LevelPath';
import { useLive } from './live';
import { NameDialog } from './NameDialog';
import { dragType } from './Palette';
import { QuickAdd } from './QuickAdd';
import { ReasonBubble } from './ReasonBubble';
import { pressKey } from './pressKey';
import { SmallMap } from './SmallMap';
import { gridStep } from './snapping';
import { paper, setCanvas, setPaper, setPointer, useCanvas } from './state';
import { SymbolNode } from './SymbolNode';
import { useSize } from './useSize';
import { useDrawing } from './useDrawing';
import { ViewportPortal } from '@xyflow/react';

const nodeTypes = { symbol: SymbolNode };
const noEdges: never[] = [];
const exact = { snapToGrid: false };
const panButtons = [1, 2]; // the left one selects
const several = ['Shift', 'Control', 'Meta'];
const origin: [number, number] = [0.5, 0.5];
export const farZoom = 0.42; // what is smaller than that has no details
const gridZoom = 0.65; // a finer grid is nothing but noise, and costs as much as all the rest

// A plain click on one of several that are selected selects it alone.
const selectAlone = (event: MouseEvent, name: string): void => {
  if (event.shiftKey || event.ctrlKey || event.metaKey) return;
  const { selection, select } = useStudio.getState();
  if (selection.symbols.length > 1 || selection.bonds.length > 0) select({ symbols: [name], bonds: [] });
};

export function Canvas() {
  return (
    <ReactFlowProvider>
      <Paper />
    </ReactFlowProvider>
  );
}

function Paper() {
  const flow = useReactFlow();
  const element = useRef<HTMLDivElement>(null);
  const isFar = useStore((state) => state.transform[2] < farZoom);
  const hasGrid = useStore((state) => state.transform[2] >= gridZoom);
  const live = useLive(isFar);
  const drawing = useDrawing(live.names);
  const path = useStudio((state) => state.path);
  const shownLevel = useStudio((state) => state.look?.diagram?.level ?? null);
  const isArmed = useCanvas((state) => state.armed !== null);
  const isBonding = useCanvas((state) => state.tool === 'bond');
  const isConnecting = useCanvas((state) => state.connecting !== null);
  const isEmpty = useStudio((state) => state.look?.diagram?.symbols.length === 0);

  useEffect(() => {
    if (element.current) setPaper({ flow, element: element.current });
    return () => setPaper(null);
  }, [flow]);

  useSize(element, flow);

  // As soon as a model is there, keys belong to the drawing.
  useEffect(() => {
    if (path !== null) element.current?.focus({ preventScroll: true });
  }, [path]);

  // Another model or level is shown as a whole first.
  useEffect(() => {
    if (shownLevel === null) return;
    const frame = requestAnimationFrame(fit);
    return () => cancelAnimationFrame(frame);
  }, [path, shownLevel]);
  useEffect(() => () => setCanvas({ entry: null, connecting: null, quickAdd: null, menu: null, armed: null, moved: new Map() }), [path, shownLevel]);

  const onPaper = (event: MouseEvent): void => {
    const state = useCanvas.getState();
    if (state.connecting && !state.connecting.isHeld) {
      void finishConnecting({ x: event.clientX, y: event.clientY });
      return;
    }
    if (state.armed) {
      beginPlacing(state.armed, flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }));
      return;
    }
    setCanvas({ menu: null, quickAdd: null });
    const { selection, select } = useStudio.getState();
    if (selection.symbols.length > 0 || selection.bonds.length > 0) select({ symbols: [], bonds: [] });
  };
  const onDoubleClick = (event: MouseEvent): void => {
    if (!(event.target as HTMLElement).classList.contains('react-flow__pane') || !mayEdit()) return;
    const screen = { x: event.clientX, y: event.clientY };
    setCanvas({ quickAdd: { screen, at: flow.screenToFlowPosition(screen), joinTo: '' } });
  };
  // What every node is given stays the same function: else all of them would be drawn again with each step of a drag.
  const onSymbol = useCallback((event: MouseEvent, node: { id: string }) => {
    const state = useCanvas.getState();
    if (state.connecting && !state.connecting.isHeld) {
      event.preventDefault();
      void finishConnecting({ x: event.clientX, y: event.clientY });
    } else selectAlone(event, node.id);
  }, []);
  // Over what was chosen by a rectangle lies one that takes the clicks.
  const onChosen = (event: MouseEvent): void => {
    if (!(event.target as HTMLElement).classList.contains('react-flow__nodesselection-rect')) return;
    const name = symbolAt(flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }));
    if (name !== null) selectAlone(event, name);
  };
  const onMove = (event: PointerEvent): void => {
    setPointer({ x: event.clientX, y: event.clientY });
    followPointer({ x: event.clientX, y: event.clientY });
    live.follow(flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }, exact), flow.getZoom(), event.buttons);
  };
  // While the paper moves, symbols need not be ready to be taken hold of.
  const onMovePaper = useCallback((event: unknown) => {
    if (element.current && event) element.current.dataset.moving = 'yes';
  }, []);
  const onMoveEnd = useCallback(() => {
    if (element.current) delete element.current.dataset.moving;
  }, []);
  const openMenu = useCallback((event: globalThis.MouseEvent | MouseEvent, target: { kind: 'paper' } | { kind: 'symbol'; name: string }) => {
    event.preventDefault();
    if (target.kind === 'symbol') {
      const { selection, select } = useStudio.getState();
      if (!selection.symbols.includes(target.name)) select({ symbols: [target.name], bonds: [] });
    }
    const screen = { x: event.clientX, y: event.clientY };
    setCanvas({ menu: { screen, at: flow.screenToFlowPosition(screen), target }, quickAdd: null });
  }, [flow]);
  const onSymbolMenu = useCallback((event: MouseEvent, node: { id: string }) => openMenu(event, { kind: 'symbol', name: node.id }), [openMenu]);
  const onBond = useCallback((key: string, event: MouseEvent) => {
    event.stopPropagation();
    const { selection, select } = useStudio.getState();
    if (event.shiftKey || event.ctrlKey || event.metaKey) {
      const bonds = selection.bonds.includes(key) ? selection.bonds.filter((each) => each !== key) : [...selection.bonds, key];
      select({ symbols: selection.symbols, bonds });
    } else select({ symbols: [], bonds: [key] });
    paper()?.element.focus({ preventScroll: true });
  }, []);
  const onBondMenu = useCallback((key: string, event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    useStudio.getState().select({ symbols: [], bonds: [key] });
    const screen = { x: event.clientX, y: event.clientY };
    const sheet = paper();
    setCanvas({ menu: { screen, at: sheet ? sheet.flow.screenToFlowPosition(screen) : screen, target: { kind: 'bond', key } }, quickAdd: null });
  }, []);
  const onDrop = (event: DragEvent): void => {
    const key = event.dataTransfer.getData(dragType);
    if (key === '') return;
    event.preventDefault();
    const item = allGroups(useStudio.getState().look?.submodels ?? []).flatMap((group) => group.items).find((each) => keyOf(each) === key);
    if (item) beginPlacing(item, flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }));
  };
  const onPaste = (event: ClipboardEvent): void => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
    event.preventDefault();
    paste(event.clipboardData.getData('text/plain'));
  };

  const names = ['canvas', isFar ? 'is-far' : '', isArmed ? 'is-armed' : '', isBonding ? 'is-bonding' : '', isConnecting ? 'is-connecting' : '', drawing.isMythical ? 'is-mythical' : ''];
  const style = useMemo(() => ({ background: 'transparent' }), []);
  return (
    <div
      ref={element} className={names.filter(Boolean).join(' ')} tabIndex={0} role="application" aria-label="Drawing of the model" data-symbols={drawing.nodes.length} data-selected={drawing.selectedSymbols.length}
      onKeyDown={(event) => {
        if (pressKey(event)) event.preventDefault();
      }}
      onClick={onChosen} onPointerMove={onMove} onPointerLeave={() => setPointer(null)} onPaste={onPaste} onDoubleClick={onDoubleClick}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes(dragType)) event.preventDefault();
      }}
      onDrop={onDrop}
      onPointerDown={(event) => {
        if (!(event.target as HTMLElement).closest('input, button, .floating')) element.current?.focus({ preventScroll: true });
      }}
    >
      {isFar && <FarLayer symbols={drawing.symbols} bonds={drawing.bonds} links={drawing.links} boxes={drawing.boxes} selected={drawing.selectedSymbols} />}
      <ReactFlow
        style={style} nodes={drawing.nodes} edges={noEdges} nodeTypes={nodeTypes} nodeOrigin={origin} onNodesChange={drawing.onNodesChange} onMove={onMovePaper} onMoveEnd={onMoveEnd}
        onNodeDragStart={drawing.onDragStart} onNodeDragStop={drawing.onDragStop} onSelectionDragStart={(event, nodes) => drawing.onDragStart(event, nodes[0], nodes)}
        onSelectionDragStop={(event, nodes) => drawing.onDragStop(event, nodes[0], nodes)}
        onPaneClick={onPaper} onNodeClick={onSymbol} onPaneContextMenu={(event) => openMenu(event, { kind: 'paper' })}
        onNodeContextMenu={onSymbolMenu} onSelectionContextMenu={(event, nodes) => nodes[0] && openMenu(event, { kind: 'symbol', name: nodes[0].id })}
        nodesDraggable={drawing.isEditable && !isBonding && !isConnecting} nodesConnectable={false} nodesFocusable={false} edgesFocusable={false} disableKeyboardA11y
        selectionOnDrag={!isArmed && !isConnecting} panOnDrag={panButtons} selectionKeyCode={null} multiSelectionKeyCode={several} deleteKeyCode={null} panActivationKeyCode={null}
        zoomOnDoubleClick={false} minZoom={0.05} maxZoom={4} nodeDragThreshold={3} onlyRenderVisibleElements elevateNodesOnSelect={false} autoPanOnNodeDrag proOptions={attribution}
      >
        {hasGrid && <Background variant={BackgroundVariant.Dots} gap={gridStep} size={1} className="canvas-grid" />}
        <ViewportPortal>
          {!isFar && <BondLayer bonds={drawing.bonds} links={drawing.links} boxes={drawing.boxes} selected={drawing.selectedBonds} onBond={onBond} onBondMenu={onBondMenu} />}
          <Guides />
          <PendingBond boxes={drawing.boxes} />
        </ViewportPortal>
        <EntryField />
        <SmallMap boxes={drawing.rest} />
      </ReactFlow>
      <LevelPath />
      <CanvasBar isEditable={drawing.isEditable} />
      {isEmpty && drawing.isEditable && <EmptyPaper />}
      <ReasonBubble />
      <QuickAdd />
      <ContextMenu />
      <NameDialog />
    </div>
  );
}

const attribution = { hideAttribution: false };

function EmptyPaper() {
  const isBusy = useCanvas((state) => state.entry !== null || state.quickAdd !== null);
  if (isBusy || diagramNow()?.where !== '') return null;
  return (
    <div className="empty-paper">
      <h2>An empty model</h2>
      <p>Drag a symbol here from the palette, double-click, or press its letter:</p>
      <p>
        <kbd>1</kbd> <kbd>0</kbd> junctions <kbd>I</kbd> <kbd>C</kbd> <kbd>R</kbd> elements <kbd>E</kbd> <kbd>F</kbd> sources <kbd>T</kbd> <kbd>G</kbd> transformer, gyrator <kbd>S</kbd> signal
      </p>
      <p>Type its name and value, for example <code>body(m = 2 [kg])</code>. Then draw from its rim to another symbol, or into the free paper.</p>
    </div>
  );
}
