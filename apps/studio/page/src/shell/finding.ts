// SPDX-License-Identifier: BSD-3-Clause
// What Ctrl+K finds: symbols, parameters, signals, levels, and what can be done.
import { fold } from '../gallery/find';
import type { LookAnswer } from '../protocol';
import type { Command } from './commands';

export type Finding = {
  sort: 'symbol' | 'parameter' | 'signal' | 'column' | 'submodel' | 'machine' | 'command';
  title: string;
  detail: string;
  name: string; // of the thing itself
  command?: Command;
};

export function everything(look: LookAnswer | null, columns: readonly { name: string; unit: string }[], commands: readonly Command[]): Finding[] {
  const symbols = look?.diagram?.symbols ?? [];
  const drawn = new Set(symbols.map((symbol) => symbol.path));
  return [
    ...symbols.map((symbol): Finding => ({ sort: 'symbol', title: symbol.name, detail: symbol.kind, name: symbol.name })),
    ...(look?.parameters ?? []).map((each): Finding => ({ sort: 'parameter', title: each.name, detail: [`= ${each.value}`, each.unit, each.description].filter(Boolean).join(' '), name: each.name })),
    ...(look?.signals ?? []).filter((each) => !drawn.has(each.name)).map((each): Finding => ({ sort: 'signal', title: each.name, detail: each.unit, name: each.name })),
    ...(look?.machines ?? []).map((each): Finding => ({ sort: 'machine', title: each.name, detail: each.type, name: each.type })),
    ...symbols.filter((symbol) => symbol.sort === 'submodel').map((symbol): Finding => ({ sort: 'submodel', title: `Enter ${symbol.name}`, detail: symbol.kind, name: symbol.path })),
    ...columns.map((column): Finding => ({ sort: 'column', title: `Plot ${column.name}`, detail: column.unit, name: column.name })),
    ...commands.map((command): Finding => ({ sort: 'command', title: command.title, detail: command.keys ?? '', name: command.title, command })),
  ];
}

// The best first: what begins with the words, then words that begin with them, then whatever has all of them.
export function find(all: readonly Finding[], words: string, most = 60): Finding[] {
  const wanted = fold(words).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return all.filter((each) => each.sort !== 'column').slice(0, most);
  const whole = wanted.join(' ');
  const scored = all.flatMap((each, index) => {
    const title = fold(each.title);
    const text = `${title} ${fold(each.detail)}`;
    if (!wanted.every((word) => text.includes(word))) return [];
    const score = title === whole ? 0 : title.startsWith(whole) ? 1 : wanted.every((word) => title.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word))) ? 2 : 3;
    return [{ each, score, index }];
  });
  return scored.sort((a, b) => a.score - b.score || a.index - b.index).slice(0, most).map(({ each }) => each);
}
