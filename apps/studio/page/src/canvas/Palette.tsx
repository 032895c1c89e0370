// SPDX-License-Identifier: BSD-3-Clause
// What can be placed upon the drawing: dragged there, or clicked and then clicked there.
import { useMemo, useState } from 'react';
import { useStudio } from '../parts';
import type { SubmodelInfo } from '../protocol';
import { beginPlacing, mayEdit, placeForNew } from './actions';
import './canvas.css';
import { ItemMark } from './ItemMark';
import { allGroups, descriptionOf, keyOf, searchedGroups, shortcutOf, titleOfItem } from './items';
import { setCanvas, useCanvas } from './state';
import type { Item } from './state';

const none: SubmodelInfo[] = [];
export const dragType = 'application/x-hybrsim-item';

export function Palette() {
  const submodels = useStudio((state) => state.look?.submodels) ?? none;
  const [sought, setSought] = useState('');
  const [seen, setSeen] = useState<Item | null>(null);
  const armed = useCanvas((state) => state.armed);
  const groups = useMemo(() => allGroups(submodels), [submodels]);
  const shown = useMemo(() => searchedGroups(groups, sought), [groups, sought]);
  const first = shown[0]?.items[0];
  const told = armed ?? seen;
  return (
    <div className="palette">
      <input
        className="palette-search" type="search" placeholder="Search symbols" aria-label="Search symbols" value={sought} spellCheck={false}
        onChange={(event) => setSought(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && first) beginPlacing(first, placeForNew());
          if (event.key === 'Escape') setSought('');
        }}
      />
      <div className="palette-list">
        {shown.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <div className={group.title === 'Bond graph' || group.title === 'Blocks' ? 'palette-grid' : 'palette-rows'}>
              {group.items.map((item) => (
                <PaletteButton key={keyOf(item)} item={item} isArmed={armed !== null && keyOf(armed) === keyOf(item)} onSeen={setSeen} />
              ))}
            </div>
          </section>
        ))}
        {shown.length === 0 && <p className="palette-none">Nothing of that name. The text can say more than the palette: any function of the language makes a signal.</p>}
      </div>
      <div className="palette-told" aria-live="polite">
        {told ? (
          <>
            <b>{titleOfItem(told)}</b>
            {shortcutOf(told) !== '' && <kbd>{shortcutOf(told)}</kbd>}
            <p>{armed ? 'Click where it is to stand. Esc: not at all.' : descriptionOf(told)}</p>
          </>
        ) : (
          <p>Drag a symbol onto the paper, or press its letter there. Draw bonds from a symbol’s rim.</p>
        )}
      </div>
    </div>
  );
}

function PaletteButton({ item, isArmed, onSeen }: { item: Item; isArmed: boolean; onSeen: (item: Item | null) => void }) {
  const title = titleOfItem(item);
  return (
    <button
      className="palette-item" draggable aria-pressed={isArmed} aria-label={title} data-item={keyOf(item)}
      onClick={() => {
        if (mayEdit()) setCanvas({ armed: isArmed ? null : item });
      }}
      onDoubleClick={() => beginPlacing(item, placeForNew())}
      onDragStart={(event) => {
        event.dataTransfer.setData(dragType, keyOf(item));
        event.dataTransfer.effectAllowed = 'copy';
      }}
      onMouseEnter={() => onSeen(item)}
      onMouseLeave={() => onSeen(null)}
      onFocus={() => onSeen(item)}
      onBlur={() => onSeen(null)}
    >
      <ItemMark item={item} />
      <span className="palette-title">{title}</span>
    </button>
  );
}
