// SPDX-License-Identifier: BSD-3-Clause
// Plots as SVG, rows and events as CSV.
import { useEffect, useRef, useState } from 'react';
import { saveSvg, saveTable } from './exporting';

export function ExportMenu() {
  const [isOpen, setOpen] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (event: Event) => {
      if (event instanceof KeyboardEvent ? event.key === 'Escape' : !element.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('keydown', close);
    };
  }, [isOpen]);
  const item = (title: string, act: () => void) => (
    <button role="menuitem" onClick={() => {
      setOpen(false);
      act();
    }}>{title}</button>
  );
  return (
    <div className="export-menu" ref={element}>
      <button aria-haspopup="menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>Export</button>
      {isOpen && (
        <div role="menu">
          {item('Plots as SVG', saveSvg)}
          {item('All rows as CSV', () => void saveTable('csv'))}
          {item('Events as CSV', () => void saveTable('events'))}
        </div>
      )}
    </div>
  );
}
