// SPDX-License-Identifier: BSD-3-Clause
// Ctrl+K: finds whatever has a name, and goes there; and does what can be done.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { currentSession } from '../document/current';
import { useStudio } from '../parts';
import { possibleCommands } from './commands';
import { everything, find } from './finding';
import type { Finding } from './finding';
import { useLayout } from './layout';
import './search.css';

const nouns: Record<Finding['sort'], string> = {
  symbol: 'symbol', parameter: 'parameter', signal: 'signal', column: 'plot', submodel: 'level', machine: 'machine', command: 'command',
};

export function SearchBox({ onClose }: { onClose: () => void }) {
  const look = useStudio((state) => state.look);
  const run = useStudio((state) => state.runs.find((each) => each.run === state.current));
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState(0);
  const box = useRef<HTMLDialogElement>(null);
  const all = useMemo(() => everything(look, run?.columns ?? [], possibleCommands()), [look, run]);
  const found = useMemo(() => find(all, words), [all, words]);

  useEffect(() => {
    const element = box.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  useEffect(() => {
    void box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen, found]);

  const take = (finding: Finding | undefined) => {
    if (!finding) return;
    onClose();
    go(finding);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setChosen((at) => (at + step + found.length) % Math.max(found.length, 1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      take(found[chosen]);
    }
  };
  return (
    <dialog ref={box} className="search-box" aria-label="Search" onCancel={(event) => (event.preventDefault(), onClose())} onPointerDown={(event) => event.target === box.current && onClose()}>
      <input
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls="search-found"
        aria-activedescendant={`search-${chosen}`}
        placeholder="Search symbols, parameters, signals, commands"
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="search-found" role="listbox" aria-label="Found">
        {found.map((finding, index) => (
          <li key={`${finding.sort} ${finding.title}`} id={`search-${index}`} role="option" aria-selected={index === chosen} onPointerMove={() => setChosen(index)} onClick={() => take(finding)}>
            <span className="found-title">{finding.title}</span>
            <span className="found-detail">{finding.sort === 'command' && finding.detail ? <kbd>{finding.detail}</kbd> : finding.detail}</span>
            <span className="found-sort">{nouns[finding.sort]}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="empty-note">Nothing here is called that. Names deeper inside are found on their own level.</p>}
    </dialog>
  );
}

function go(finding: Finding) {
  const studio = useStudio.getState();
  switch (finding.sort) {
    case 'symbol':
      studio.select({ symbols: [finding.name], bonds: [] });
      break;
    case 'submodel':
      studio.setLevel(finding.name);
      break;
    case 'column':
      useLayout.getState().toggle('look', true);
      studio.plot(finding.name);
      break;
    case 'command':
      finding.command?.run();
      break;
    default:
      showDeclaration(finding.name, finding.sort);
  }
}

// Parameters and signals have no symbol to select: the text has them.
function showDeclaration(name: string, sort: Finding['sort']) {
  const text = currentSession()?.state.doc.toString() ?? '';
  const place = declarationOf(text, name, sort);
  if (place) useLayout.getState().showText(place.from, place.to);
  else useStudio.getState().notify('info', `${name} is not declared in this text itself, but in a file that it imports or inside a submodel.`);
}

export function declarationOf(text: string, name: string, sort: string): { from: number; to: number } | null {
  const last = name.replace(/^.*\./, '').replace(/\[.*$/, '');
  const plain = last.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const letter = '[\\p{L}\\p{N}_]';
  const pattern = new RegExp(sort === 'machine' ? `\\bmachine\\s+(${plain})(?!${letter})` : `(?<!${letter}|\\.)(${plain})(?!${letter})\\s*(?:\\[[^\\]\\n]*\\]\\s*)*=`, 'u');
  const match = pattern.exec(text);
  if (!match) return null;
  const from = match.index + match[0].indexOf(match[1]!);
  return { from, to: from + last.length };
}
