// SPDX-License-Identifier: BSD-3-Clause
// The line between two panes: dragged by the pointer, moved by the arrow keys.
import { useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { limits, useLayout } from './layout';
import type { PaneName } from './layout';

type Props = { pane: PaneName; side: 'before' | 'after'; isRow?: boolean }; // side: where the pane stands, seen along the line of writing: 'after' grows against it

export function Splitter({ pane, side, isRow = false }: Props) {
  const size = useLayout((state) => state.sizes[pane]);
  const resize = useLayout((state) => state.resize);
  const begin = useRef<{ at: number; size: number } | null>(null);
  const [isDragged, setDragged] = useState(false);
  const sign = side === 'before' ? 1 : -1;
  const at = (event: PointerEvent) => (isRow ? event.clientY : event.clientX);

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    begin.current = { at: at(event), size };
    setDragged(true);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (begin.current) resize(pane, begin.current.size + sign * (at(event) - begin.current.at));
  };
  const onPointerUp = () => {
    begin.current = null;
    setDragged(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -16, ArrowUp: -16, ArrowRight: 16, ArrowDown: 16 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    resize(pane, size + sign * step);
  };
  return (
    <div
      className={`splitter${isRow ? ' is-row' : ''}${isDragged ? ' is-dragged' : ''}`}
      role="separator"
      tabIndex={0}
      aria-label={`Size of the pane ${pane}`}
      aria-orientation={isRow ? 'horizontal' : 'vertical'}
      aria-valuenow={Math.round(size)}
      aria-valuemin={limits[pane][0]}
      aria-valuemax={limits[pane][1]}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onKeyDown={onKeyDown}
    />
  );
}
