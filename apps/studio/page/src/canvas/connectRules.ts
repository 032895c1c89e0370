// SPDX-License-Identifier: BSD-3-Clause
// What two symbols can be joined by, known from the drawing alone: the answer while one draws. The server, which knows the text, has the last word.
import type { Diagram, DiagramSymbol } from '../protocol';
import { elementRow } from './elementTable';

export type Joining =
  | { kind: 'bond' | 'signal' | 'active' | 'switch'; tail: string; head: string; reason: '' }
  | { kind: 'none'; reason: string };

const no = (reason: string): Joining => ({ kind: 'none', reason });

const carriesPower = (symbol: DiagramSymbol): boolean =>
  symbol.sort === 'element' || symbol.sort === 'junction' || symbol.sort === 'submodel' || (symbol.sort === 'port' && symbol.kind !== 'in' && symbol.kind !== 'out');

const isSignal = (symbol: DiagramSymbol): boolean => symbol.sort === 'signal' || (symbol.sort === 'port' && (symbol.kind === 'in' || symbol.kind === 'out'));

// A field, whose number of ports is written in its matrix or its laws.
const isField = (symbol: DiagramSymbol): boolean => /^(IC|RS)$/.test(symbol.kind) || /\[\[|\{|\[1\]/.test(symbol.label);

const title = (symbol: DiagramSymbol): string => (symbol.sort === 'element' ? `${symbol.kind} : ${symbol.name}` : symbol.name);

const bondsAt = (diagram: Diagram, name: string): { in: number; out: number } => {
  const count = { in: 0, out: 0 };
  for (const bond of diagram.bonds) {
    if (bond.tail === name) count.out++;
    if (bond.head === name) count.in++;
  }
  return count;
};

// '' when one more bond, with the half arrow into or out of it, can be at `symbol`.
const whyNoBond = (diagram: Diagram, symbol: DiagramSymbol, isHead: boolean): string => {
  if (symbol.sort !== 'element' || isField(symbol)) return '';
  const row = elementRow(symbol.kind);
  if (!row || row.ports === Infinity) return '';
  const count = bondsAt(diagram, symbol.name);
  if (row.ports === 1 && count.in + count.out >= 1) return `${title(symbol)} has its one bond already. Join it to a junction, and the others to that.`;
  if (row.ports === 2 && isHead && count.in >= 1) return `${title(symbol)} has a bond that comes in already; draw from it instead: the second one goes out.`;
  if (row.ports === 2 && !isHead && count.out >= 1) return `${title(symbol)} has a bond that goes out already; draw to it instead: the other one comes in.`;
  return '';
};

const takesPower = (symbol: DiagramSymbol): boolean => symbol.sort === 'element' && (elementRow(symbol.kind)?.takesPower ?? false);
const isSource = (symbol: DiagramSymbol): boolean => /^M?S[ef]$/.test(symbol.kind);

const joinPower = (diagram: Diagram, from: DiagramSymbol, to: DiagramSymbol): Joining => {
  if (takesPower(from) && takesPower(to)) return no(`${title(from)} and ${title(to)} both take power. Put a junction between them.`);
  if (isSource(from) && isSource(to)) return no(`${title(from)} and ${title(to)} both are sources: one of them would have nothing to say.`);
  // Power flows into R, C and I, and by habit out of sources, whichever way one draws.
  const turned = takesPower(from) || isSource(to);
  let [tail, head] = turned ? [to, from] : [from, to];
  // A transformer that has the one end already takes the other.
  if (!turned && from.sort === 'element' && elementRow(from.kind)?.ports === 2 && !isField(from)) {
    const count = bondsAt(diagram, from.name);
    if (count.out === 1 && count.in === 0 && whyNoBond(diagram, to, false) === '' && !takesPower(to)) [tail, head] = [to, from];
  }
  const reason = whyNoBond(diagram, tail, false) || whyNoBond(diagram, head, true);
  if (reason) return no(reason);
  return { kind: 'bond', tail: tail.name, head: head.name, reason: '' };
};

const takesArgument = new Set(['Se', 'Sf', 'R', 'TF', 'GY', 'MSe', 'MSf', 'MR', 'MTF', 'MGY']);

const joinFromSignal = (from: DiagramSymbol, to: DiagramSymbol): Joining => {
  if (from.sort === 'port' && from.kind === 'out') return no(`${from.name} goes out of the submodel: draw to it, not from it.`);
  if (to.sort === 'junction') {
    return no(to.machine ? `A signal carries no power. Let a guard of the machine of ${to.name} read ${from.name} instead.` : `A signal carries no power: it cannot go to a junction. Give ${to.name} a machine, whose guards can read ${from.name}.`);
  }
  if (to.sort === 'machine') return no(`Guards read signals by their names: write ${from.name} in a guard of ${to.name}.`);
  if (to.sort === 'port' && to.kind === 'in') return no(`${to.name} comes from outside of the submodel: draw from it, not to it.`);
  if (to.sort === 'port' && to.kind !== 'out') return no(`${to.name} is a port for a bond, and a signal carries no power.`);
  if (to.sort === 'signal' && (to.kind === 'constant' || to.kind === 'clock')) return no(`${to.name} has no input.`);
  if (to.sort === 'element' && !takesArgument.has(to.kind)) return no(`The value of ${title(to)} is no input: let a source, resistor, transformer or gyrator be controlled by ${from.name}.`);
  return { kind: 'signal', tail: from.name, head: to.name, reason: '' };
};

const joinToSignal = (from: DiagramSymbol, to: DiagramSymbol): Joining => {
  if (to.sort === 'port' && to.kind === 'in') return no(`${to.name} comes from outside of the submodel: draw from it, not to it.`);
  if (to.sort === 'signal' && (to.kind === 'constant' || to.kind === 'clock')) return no(`${to.name} has no input.`);
  if (from.sort === 'element' && !/^M?[IC]$/.test(from.kind)) {
    return no(`${title(from)} has an effort and a flow: which of them? Draw from a junction, or write ${from.name}.e or ${from.name}.f in ${to.name}.`);
  }
  if (from.sort === 'port') return no(`${from.name} is a port: write ${from.name}.e or ${from.name}.f in ${to.name}.`);
  return { kind: from.sort === 'submodel' ? 'signal' : 'active', tail: from.name, head: to.name, reason: '' };
};

export const joining = (diagram: Diagram, from: string, to: string): Joining => {
  const tail = diagram.symbols.find((symbol) => symbol.name === from);
  const head = diagram.symbols.find((symbol) => symbol.name === to);
  if (!tail || !head) return no('There is nothing to join.');
  if (tail === head) return no('A bond joins two different symbols.');
  if (tail.sort === 'machine' || head.sort === 'machine') {
    const [machine, other] = tail.sort === 'machine' ? [tail, head] : [head, tail];
    if (other.sort !== 'junction') return isSignal(other) ? joinFromSignal(other, machine) : no(`A machine switches junctions; ${title(other)} is none.`);
    if (other.machine) return no(`${other.name} is switched by the machine ${other.machine} already.`);
    return { kind: 'switch', tail: machine.name, head: other.name, reason: '' };
  }
  if (isSignal(tail)) return joinFromSignal(tail, head);
  if (isSignal(head)) return joinToSignal(tail, head);
  if (carriesPower(tail) && carriesPower(head)) return joinPower(diagram, tail, head);
  return no(`${title(tail)} and ${title(head)} cannot be joined.`);
};

// Whether anything at all could be drawn from this symbol; a reason, if not.
export const whyNotFrom = (diagram: Diagram, name: string): string => {
  const symbol = diagram.symbols.find((each) => each.name === name);
  if (!symbol) return 'There is nothing to draw from.';
  if (symbol.sort === 'element' && elementRow(symbol.kind)?.ports === 1 && !/^M?[IC]$/.test(symbol.kind)) return whyNoBond(diagram, symbol, takesPower(symbol));
  return '';
};
