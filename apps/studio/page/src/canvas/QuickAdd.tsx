// SPDX-License-Identifier: BSD-3-Clause
// The palette at a place of the paper: where a bond was dropped, or where one asked for it.
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStudio } from '../parts';
import type { SubmodelInfo } from '../protocol';
import { beginPlacing, diagramNow, imagined } from './actions';
import { joining } from './connectRules';
import { ItemMark } from './ItemMark';
import { allGroups, descriptionOf, keyOf, searched, shortcutOf, titleOfItem } from './items';
import { paper, setCanvas, useCanvas } from './state';
import type { Item } from './state';
import { within } from './within';

const none: SubmodelInfo[] = [];
const size = { width: 268, height: 318 };

// What can be joined to the symbol that the bond comes from.
const isFit = (item: Item, joinTo: string): boolean => {
  const diagram = diagramNow();
  if (joinTo === '' || !diagram) return true;
  const symbol = imagined(item, '\u0000', { x: 0, y: 0 });
  return joining({ ...diagram, symbols: [...diagram.symbols, symbol] }, joinTo, symbol.name).kind !== 'none';
};

export function QuickAdd() {
  const asked = useCanvas((state) => state.quickAdd);
  return asked ? <QuickAddList key={`${asked.screen.x} ${asked.screen.y}`} joinTo={asked.joinTo} screen={asked.screen} at={asked.at} /> : null;
}

function QuickAddList({ joinTo, screen, at }: { joinTo: string; screen: { x: number; y: number }; at: { x: number; y: number } }) {
  const submodels = useStudio((state) => state.look?.submodels) ?? none;
  const [sought, setSought] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const items = useMemo(() => searched(allGroups(submodels), sought).filter((item) => isFit(item, joinTo)), [submodels, sought, joinTo]);
  const item = items[Math.min(chosen, items.length - 1)];
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen, sought]);
  const close = (): void => {
    setCanvas({ quickAdd: null });
    paper()?.element.focus();
  };
  const take = (which: Item | undefined): void => {
    if (which) beginPlacing(which, at, joinTo);
  };
  return (
    <div className="floating quick-add" style={within(screen, size)} onPointerDown={(event) => event.stopPropagation()}>
      <input
        autoFocus aria-label="What is to be placed here" placeholder={joinTo ? `Join ${joinTo} to …` : 'Place …'} value={sought} spellCheck={false}
        onChange={(event) => {
          setSought(event.target.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') close();
          if (event.key === 'Enter') take(item);
          if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, items.length - 1));
          if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, 0));
          if (['Enter', 'ArrowDown', 'ArrowUp'].includes(event.key)) event.preventDefault();
        }}
        onBlur={(event) => {
          if (!event.currentTarget.parentElement?.contains(event.relatedTarget)) setTimeout(() => setCanvas({ quickAdd: null }), 120);
        }}
      />
      <ul ref={list} role="listbox" aria-label="Symbols">
        {items.map((each, index) => (
          <li
            key={keyOf(each)} role="option" aria-selected={each === item} data-item={keyOf(each)}
            onPointerEnter={() => setChosen(index)}
            onPointerDown={(event) => {
              event.preventDefault();
              take(each);
            }}
          >
            <ItemMark item={each} />
            <span className="quick-title">{titleOfItem(each)}</span>
            {shortcutOf(each) !== '' && <kbd>{shortcutOf(each)}</kbd>}
          </li>
        ))}
      </ul>
      <p className="quick-told">{item ? descriptionOf(item) : 'Nothing of that name.'}</p>
    </div>
  );
}
