// SPDX-License-Identifier: BSD-3-Clause
// What can be done with what is under the pointer.
import { useEffect, useRef } from 'react';
import { useLayout } from '../shell/layout';
import { useStudio } from '../parts';
import {
  beginRename, bondNamed, copySelected, cutSelected, diagramNow, duplicateSelected, editLabel, enter, fit, giveMachine, layOut, leave, paste, removeSelected, reverseBonds,
  symbolNamed,
} from './actions';
import { beginKeyConnecting } from './connecting';
import { whyNotEditable } from './level';
import { paper, setCanvas, useCanvas } from './state';
import type { Menu } from './state';
import { within } from './within';

type Entry = { title: string; keys?: string; run: () => void } | null; // null: a line

export function ContextMenu() {
  const menu = useCanvas((state) => state.menu);
  return menu ? <MenuList menu={menu} /> : null;
}

function MenuList({ menu }: { menu: Menu }) {
  const list = useRef<HTMLDivElement>(null);
  const entries = entriesOf(menu);
  useEffect(() => {
    list.current?.querySelector('button')?.focus();
    const away = (event: PointerEvent): void => {
      if (!list.current?.contains(event.target as globalThis.Node)) setCanvas({ menu: null });
    };
    window.addEventListener('pointerdown', away, true);
    return () => window.removeEventListener('pointerdown', away, true);
  }, []);
  const step = (by: number): void => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[(at + by + buttons.length) % buttons.length]?.focus();
  };
  return (
    <div
      ref={list} className="floating context-menu" role="menu" style={within(menu.screen, { width: 230, height: entries.length * 28 + 10 })}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') {
          setCanvas({ menu: null });
          paper()?.element.focus();
        }
        if (event.key === 'ArrowDown') step(1);
        if (event.key === 'ArrowUp') step(-1);
        if (event.key.startsWith('Arrow')) event.preventDefault();
      }}
    >
      {entries.map((entry, index) =>
        entry === null ? (
          <hr key={index} />
        ) : (
          <button
            key={index} role="menuitem"
            onClick={() => {
              setCanvas({ menu: null });
              paper()?.element.focus();
              entry.run();
            }}
          >
            <span>{entry.title}</span>
            {entry.keys && <kbd>{entry.keys}</kbd>}
          </button>
        ),
      )}
    </div>
  );
}

const inText = (from: number, to: number, file: string): Entry[] => (file === '' && to > from ? [{ title: 'Show in text', run: () => useStudio.getState().showText(from, to) }] : []);

const entriesOf = ({ target, screen, at }: Menu): Entry[] => {
  const state = useStudio.getState();
  const diagram = diagramNow();
  const canEdit = whyNotEditable(diagram, state.isReadOnly) === '';
  if (target.kind === 'bond') {
    const bond = bondNamed(target.key);
    if (!bond) return [];
    const plots: Entry[] = [bond.effort && { title: `Plot effort ${bond.effort}`, run: () => state.plot(bond.effort) }, bond.flow && { title: `Plot flow ${bond.flow}`, run: () => state.plot(bond.flow) }].filter((entry): entry is Exclude<Entry, null> => typeof entry === 'object');
    const edits: Entry[] = canEdit ? [{ title: 'Turn the half arrow', keys: 'X', run: () => reverseBonds([target.key]) }, { title: 'Delete', keys: 'Del', run: () => void removeSelected() }, null] : [];
    return [...edits, ...plots, ...inText(bond.from, bond.to, bond.file)];
  }
  if (target.kind === 'symbol') {
    const symbol = symbolNamed(target.name);
    if (!symbol) return [];
    const several = state.selection.symbols.length > 1;
    const edits: Entry[] = !canEdit
      ? [{ title: 'Copy', keys: 'Ctrl+C', run: () => void copySelected() }]
      : [
          ...(several ? [] : [
            { title: 'Bond from here', keys: 'B', run: () => beginKeyConnecting(symbol.name) },
            { title: 'Rename', keys: 'F2', run: () => beginRename(symbol.name) },
            ...(symbol.sort === 'element' || symbol.sort === 'signal' ? [{ title: symbol.sort === 'signal' ? 'Edit the expression' : 'Edit the value or law', keys: 'A', run: () => void editLabel(symbol.name) }] : []),
            ...(symbol.sort === 'junction' && symbol.machine === '' ? [{ title: 'Switch it by a machine', keys: 'M', run: () => void giveMachine(symbol.name) }] : []),
            ...(symbol.machine !== '' ? [{ title: 'Edit its machine', keys: 'M', run: () => useLayout.getState().toggle('inspector', true) }] : []),
            null,
          ]),
          { title: 'Cut', keys: 'Ctrl+X', run: () => void cutSelected() },
          { title: 'Copy', keys: 'Ctrl+C', run: () => void copySelected() },
          { title: 'Duplicate', keys: 'Ctrl+D', run: () => void duplicateSelected() },
          { title: 'Delete', keys: 'Del', run: () => void removeSelected() },
          null,
          { title: several ? 'Make them a submodel' : 'Make it a submodel', keys: 'Ctrl+G', run: () => setCanvas({ isNaming: true }) },
          { title: 'Place automatically', keys: 'L', run: () => void layOut(state.selection.symbols) },
        ];
    const inner: Entry[] = symbol.sort === 'submodel' ? [{ title: 'Look inside', keys: 'Enter', run: () => enter(symbol.name) }, null] : [];
    return [...inner, ...edits, ...inText(symbol.from, symbol.to, symbol.file)];
  }
  const edits: Entry[] = canEdit
    ? [
        { title: 'Place a symbol …', keys: '/', run: () => setCanvas({ quickAdd: { screen, at, joinTo: '' } }) },
        { title: 'Paste', keys: 'Ctrl+V', run: () => void pasteFromSystem() },
        { title: 'Place all automatically', keys: 'L', run: () => void layOut() },
        null,
      ]
    : [];
  return [
    ...edits,
    ...(state.level !== '' ? [{ title: 'Back to the level above', keys: 'U', run: leave }] : []),
    { title: 'Select all', keys: 'Ctrl+A', run: () => state.select({ symbols: (diagram?.symbols ?? []).map((symbol) => symbol.name), bonds: [] }) },
    { title: 'Show all', keys: 'Z', run: fit },
  ];
};

const pasteFromSystem = async (): Promise<void> => {
  const text = await navigator.clipboard?.readText().catch(() => '');
  paste(text ?? '');
};
