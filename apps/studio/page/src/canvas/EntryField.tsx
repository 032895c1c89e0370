// SPDX-License-Identifier: BSD-3-Clause
// The field on the drawing in which names, arguments and laws are typed: beside what was just placed, or upon what was double-clicked.
import { ViewportPortal, useStore } from '@xyflow/react';
import { useEffect, useRef, useState } from 'react';
import { useStudio } from '../parts';
import { finishPlacing, imagined, kindOf, placeOf, read, rename, setPart, symbolNamed } from './actions';
import { whyNotName } from './names';
import { SymbolDrawing } from './SymbolDrawing';
import { paper, setCanvas, useCanvas } from './state';
import type { Entry } from './state';

export function EntryField() {
  const entry = useCanvas((state) => state.entry);
  if (!entry) return null;
  const key = entry.kind === 'place' ? `place ${entry.at.x} ${entry.at.y}` : `${entry.kind} ${entry.name}`;
  return (
    <ViewportPortal>
      {entry.kind === 'place' && <Ghost entry={entry} />}
      <Field key={key} entry={entry} />
    </ViewportPortal>
  );
}

function Ghost({ entry }: { entry: Extract<Entry, { kind: 'place' }> }) {
  const symbol = imagined(entry.item, read(entry.item, entry.text).name || entry.text.slice(0, 12), entry.at);
  return (
    <div className={`symbol is-ghost sort-${symbol.sort}`} style={{ position: 'absolute', left: symbol.x - symbol.width / 2, top: symbol.y - symbol.height / 2, width: symbol.width, height: symbol.height }}>
      <div className="symbol-box">
        <SymbolDrawing symbol={{ ...symbol, name: symbol.sort === 'element' || symbol.sort === 'submodel' ? symbol.name : '' }} isOn state="" side="below" />
      </div>
    </div>
  );
}

const hintOf = (entry: Entry): string => {
  if (entry.kind === 'rename') return 'Its name, also where it is read';
  if (entry.kind === 'part') return entry.part === 'law' ? 'Its law, for example e = 9*f*abs(f)' : entry.part === 'value' ? 'Its expression' : 'Its value, for example 2 [kg]';
  if (entry.item.sort === 'element') return entry.item.row.hint;
  return entry.item.sort === 'block' ? 'name = expression' : 'name, or name(arguments)';
};

function Field({ entry }: { entry: Entry }) {
  const zoom = useStore((state) => state.transform[2]);
  const [text, setText] = useState(entry.text);
  const [reason, setReason] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    const input = field.current;
    if (!input) return;
    input.focus({ preventScroll: true });
    if (entry.kind === 'place') input.setSelectionRange(...entry.selected);
    else input.select();
  }, []); // eslint-disable-line react-hooks/exhaustive-deps -- once, when it opens

  const close = (): void => {
    isDone.current = true;
    setCanvas({ entry: null });
  };
  const giveBack = (): void => {
    close();
    paper()?.element.focus({ preventScroll: true });
  };
  // 'stay': the pointer went on elsewhere, and so does the attention
  const take = async (goOn: boolean, hasLeft: boolean): Promise<void> => {
    if (isDone.current) return;
    isDone.current = true;
    const typed = text.trim();
    let wrong = '';
    let name = '';
    if (entry.kind === 'place') ({ reason: wrong, name } = await finishPlacing(entry.item, typed, entry.at, entry.joinTo));
    else if (entry.kind === 'rename') wrong = typed === entry.name ? '' : whyNotName(typed) || (await rename(entry.name, typed));
    else if (typed !== entry.text.trim()) wrong = await setPart(entry.name, entry.part, typed);
    if (wrong) {
      isDone.current = false;
      setReason(wrong);
      if (hasLeft) {
        useStudio.getState().notify('warning', wrong);
        close();
      } else field.current?.focus();
      return;
    }
    if (hasLeft) close();
    else giveBack();
    const sheet = paper();
    if (goOn && name && sheet && entry.kind === 'place') {
      const at = { x: entry.at.x + 140, y: entry.at.y };
      setCanvas({ quickAdd: { screen: sheet.flow.flowToScreenPosition(at), at, joinTo: name } });
    }
  };
  const change = (next: string): void => {
    setText(next);
    setReason('');
    if (entry.kind === 'place') setCanvas({ entry: { ...entry, text: next } });
  };

  const symbol = entry.kind === 'place' ? imagined(entry.item, entry.text, entry.at) : symbolNamed(entry.name);
  const at = entry.kind === 'place' ? entry.at : symbol ? placeOf(symbol) : { x: 0, y: 0 };
  const down = (symbol?.height ?? 20) / 2 + (entry.kind === 'place' ? 8 : 2);
  const width = Math.max(170, Math.min(440, text.length * 7.4 + 70));
  return (
    <div
      className={`entry nodrag nopan nowheel${reason ? ' has-reason' : ''}`}
      style={{ transform: `translate(${at.x}px, ${at.y + down}px) scale(${1 / zoom}) translate(-50%, 0)` }}
      onPointerDown={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <div className="entry-row" style={{ width }}>
        {entry.kind === 'place' && entry.item.sort !== 'block' && <b>{kindOf(entry.item)} :</b>}
        <input
          ref={field} value={text} spellCheck={false} autoComplete="off" aria-label={hintOf(entry)}
          onChange={(event) => change(event.target.value)}
          onKeyDown={(event) => {
            event.stopPropagation();
            if (event.key === 'Escape') giveBack();
            if (event.key === 'Enter' || (event.key === 'Tab' && entry.kind === 'place')) {
              event.preventDefault();
              void take(event.key === 'Tab' || event.shiftKey, false);
            }
          }}
          onBlur={() => void take(false, true)}
        />
      </div>
      <div className="entry-hint">{reason || hintOf(entry)}</div>
      {entry.kind === 'place' && !reason && (
        <div className="entry-keys">
          <kbd>Enter</kbd> place <kbd>Tab</kbd> and join the next <kbd>Esc</kbd> not at all
        </div>
      )}
    </div>
  );
}
