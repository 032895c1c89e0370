// SPDX-License-Identifier: BSD-3-Clause
// What leaves the page, as a menu below its button.
import { useEffect, useRef, useState } from 'react';
import { useStudio } from '../parts';
import { copyLink, exportDrawing, exportTable, exportText } from './exports';
import { Icon } from './Icon';
import { useOverlay } from './overlay';

export function ExportMenu() {
  const [isOpen, setOpen] = useState(false);
  const hasRun = useStudio((state) => state.current !== null);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    menu.current?.querySelector('button')?.focus();
    const onPointerDown = (event: PointerEvent) => {
      if (event.target instanceof Node && !menu.current?.contains(event.target) && !button.current?.contains(event.target)) setOpen(false);
    };
    window.addEventListener('pointerdown', onPointerDown);
    return () => window.removeEventListener('pointerdown', onPointerDown);
  }, [isOpen]);
  const place = button.current?.getBoundingClientRect();
  const act = (work: () => unknown) => () => {
    setOpen(false);
    work();
  };
  return (
    <>
      <button ref={button} className="icon" title="Export and share" aria-label="Export and share" aria-haspopup="menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="share" />
      </button>
      {isOpen && place && (
        <div
          ref={menu}
          className="menu"
          role="menu"
          style={{ top: place.bottom + 4, right: window.innerWidth - place.right }}
          onKeyDown={(event) => moveFocus(event.key, menu.current, () => {
            setOpen(false);
            button.current?.focus();
          }) && event.preventDefault()}
        >
          <button role="menuitem" onClick={act(() => exportDrawing('svg'))}>Drawing as SVG</button>
          <button role="menuitem" onClick={act(() => exportDrawing('png'))}>Drawing as PNG</button>
          <hr />
          <button role="menuitem" disabled={!hasRun} onClick={act(() => exportTable('csv'))}>Run as CSV: every row</button>
          <button role="menuitem" disabled={!hasRun} onClick={act(() => exportTable('events'))}>Run as CSV: its events</button>
          <hr />
          <button role="menuitem" onClick={act(exportText)}>Model file</button>
          <button role="menuitem" onClick={act(() => useOverlay.getState().show('copy'))}>Save a copy …</button>
          <button role="menuitem" onClick={act(copyLink)}>Copy the address</button>
        </div>
      )}
    </>
  );
}

function moveFocus(key: string, menu: HTMLElement | null, close: () => void): boolean {
  if (key === 'Escape') return close(), true;
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (!step || !menu) return false;
  const items = [...menu.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')];
  const at = items.findIndex((item) => item === document.activeElement);
  items[(at + step + items.length) % items.length]?.focus();
  return true;
}
