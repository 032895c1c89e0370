// SPDX-License-Identifier: BSD-3-Clause
// A symbol on the paper that can be moved, joined, renamed and entered.
import type { Node, NodeProps } from '@xyflow/react';
import { memo } from 'react';
import type { MouseEvent, PointerEvent } from 'react';
import { beginRename, editLabel, enter } from './actions';
import { beginConnecting } from './connecting';
import type { Side } from './labelSide';
import { useCanvas } from './state';
import { SymbolDrawing } from './SymbolDrawing';
import type { SymbolView } from './view';

export type SymbolNodeData = { view: SymbolView; side: Side; isEditable: boolean };
export type SymbolFlowNode = Node<SymbolNodeData, 'symbol'>;

const isWithin = (box: DOMRect, x: number, y: number): boolean => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;

const words: Record<string, string> = { element: 'element', junction: 'junction', submodel: 'submodel', signal: 'signal', port: 'port', machine: 'machine' };

export const SymbolNode = memo(function SymbolNode({ data, selected }: NodeProps<SymbolFlowNode>) {
  const { view, side, isEditable } = data;
  const { symbol } = view;
  const role = useCanvas((state) => (state.connecting === null ? '' : state.connecting.from === symbol.name ? 'is-source' : state.connecting.to !== symbol.name ? '' : state.connecting.joining?.kind === 'none' ? 'is-refused' : 'is-target'));
  const isBonding = useCanvas((state) => state.tool === 'bond');
  const isEntered = useCanvas((state) => state.entry?.kind === 'rename' && state.entry.name === symbol.name);

  const onRim = (event: PointerEvent): void => {
    if (event.button !== 0 || !isEditable || event.ctrlKey || event.shiftKey) return;
    event.stopPropagation();
    event.preventDefault();
    beginConnecting(symbol.name, event.clientX, event.clientY);
  };
  const onDoubleClick = (event: MouseEvent): void => {
    event.stopPropagation();
    const label = event.currentTarget.querySelector('.symbol-label');
    const isOnLabel = label !== null && isWithin(label.getBoundingClientRect(), event.clientX, event.clientY);
    const isName = label?.classList.contains('is-name') ?? false;
    if (symbol.sort === 'submodel') enter(symbol.name);
    else if ((isOnLabel && !isName) || (symbol.sort === 'signal' && !isOnLabel)) void editLabel(symbol.name);
    else beginRename(symbol.name);
  };
  const names = ['symbol', `sort-${symbol.sort}`, role, selected ? 'is-selected' : '', view.isOn ? '' : 'is-off', view.mark ? `is-${view.mark}` : '', isEntered ? 'is-entered' : ''];
  return (
    <div
      className={names.filter(Boolean).join(' ')}
      role="button"
      aria-label={`${words[symbol.sort]} ${symbol.kind} ${symbol.name}${symbol.machine ? `, ${view.isOn ? 'on' : 'off'}${view.state ? `, ${view.state}` : ''}` : ''}${view.problem ? `: ${view.problem}` : ''}`}
      data-symbol={symbol.name}
      data-kind={symbol.kind}
      onDoubleClick={onDoubleClick}
    >
      {isEditable && <span className={isBonding ? 'symbol-rim is-whole nodrag nopan' : 'symbol-rim nodrag nopan'} onPointerDown={onRim} />}
      <div className="symbol-box">
        <SymbolDrawing symbol={symbol} isOn={view.isOn} state={view.state} side={side} />
      </div>
      {view.problem !== '' && (
        <span className={view.isWarning ? 'symbol-badge is-warning' : 'symbol-badge'} title={view.problem}>
          !
        </span>
      )}
    </div>
  );
});
