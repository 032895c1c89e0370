// SPDX-License-Identifier: BSD-3-Clause
// What is drawn: the diagram of a level, and upon it the instant at which the cursor stands.
import { arrowAside, measures } from '../geometry';
import type { Diagram, DiagramBond, DiagramLink, DiagramSymbol, LookAnswer, RowAnswer } from '../protocol';
import { bondKey } from '../store';
import { shownNumber } from './numbers';

export type SymbolView = {
  symbol: DiagramSymbol;
  isOn: boolean;
  state: string; // of its machine, at the cursor or at the start; ''
  mark: '' | 'mythical' | 'pinnacle';
  isFlashing: boolean; // it is off, or was, at this pinnacle
  problem: string; // '' when all is right with it
  isWarning: boolean; // the problem is one
};
export type BondView = {
  key: string;
  bond: DiagramBond;
  stroke: DiagramBond['stroke'];
  isDerivative: boolean;
  isConflict: boolean;
  isOff: boolean;
  effort: string; // as it is shown, '' without
  flow: string;
  power: number; // 0..1 of the greatest on the drawing; -1 when it is not shown
  problem: string;
};
export type LinkView = { key: string; link: DiagramLink; aside: number }; // [px] that it lies aside, so that it hides no other and no bond
export type View = {
  symbols: SymbolView[];
  bonds: BondView[];
  links: LinkView[];
  isMythical: boolean;
};

export type Shown = { values: boolean; power: boolean };

// Strokes of a row stand in the order of the level's bonds; where they do not, ends and name tell.
const strokesOfRow = (diagram: Diagram, row: RowAnswer): (RowAnswer['strokes'][number] | undefined)[] => {
  const isInOrder =
    row.strokes.length === diagram.bonds.length &&
    row.strokes.every((stroke, at) => stroke.tail === diagram.bonds[at]!.tail && stroke.head === diagram.bonds[at]!.head);
  if (isInOrder) return row.strokes;
  const byEnds = new Map<string, RowAnswer['strokes']>();
  for (const stroke of row.strokes) {
    const ends = `${stroke.tail} -> ${stroke.head}`;
    byEnds.set(ends, [...(byEnds.get(ends) ?? []), stroke]);
  }
  return diagram.bonds.map((bond) => byEnds.get(`${bond.tail} -> ${bond.head}`)?.[bond.lane] ?? byEnds.get(`${bond.tail} -> ${bond.head}`)?.[0]);
};

const valueOf = (row: RowAnswer | null, column: string): number | null => (row && column !== '' ? (row.values[column] ?? null) : null);

const viewBonds = (diagram: Diagram, row: RowAnswer | null, shown: Shown, problems: SymbolProblems): BondView[] => {
  const strokes = row ? strokesOfRow(diagram, row) : [];
  const powers = diagram.bonds.map((bond) => Math.abs((valueOf(row, bond.effort) ?? 0) * (valueOf(row, bond.flow) ?? 0)));
  const greatest = powers.reduce((most, power) => (Number.isFinite(power) ? Math.max(most, power) : most), 0);
  return diagram.bonds.map((bond, at) => {
    const stroke = strokes[at] ?? bond;
    const effort = valueOf(row, bond.effort);
    const flow = valueOf(row, bond.flow);
    const power = powers[at]!;
    return {
      key: bondKey(bond),
      bond,
      stroke: stroke.stroke,
      isDerivative: stroke.isDerivative,
      isConflict: stroke.isConflict,
      isOff: stroke.isOff,
      effort: shown.values && row ? (effort === null ? '' : shownNumber(effort)) : '',
      flow: shown.values && row ? (flow === null ? '' : shownNumber(flow)) : '',
      power: !shown.power || !row ? -1 : greatest > 0 ? Math.min(1, power / greatest) : 0,
      problem: problems.bonds.get(bondKey(bond)) ?? '',
    };
  });
};

const viewLinks = ({ links, bonds }: Diagram): LinkView[] => {
  const pairOf = (one: string, other: string): string => [one, other].sort().join(' ');
  const bondsOf = new Map<string, number>();
  for (const bond of bonds) bondsOf.set(pairOf(bond.tail, bond.head), (bondsOf.get(pairOf(bond.tail, bond.head)) ?? 0) + 1);
  const counts = new Map<string, number>();
  const lanes = links.map((link) => {
    const lane = counts.get(pairOf(link.from, link.to)) ?? 0;
    counts.set(pairOf(link.from, link.to), lane + 1);
    return lane;
  });
  return links.map((link, at) => {
    const pair = pairOf(link.from, link.to);
    return { key: `${link.sort} ${link.from} -> ${link.to} ${link.quantity} #${at}`, link, aside: arrowAside(lanes[at]!, counts.get(pair)!, bondsOf.get(pair) ?? 0) };
  });
};

export const viewOf = (look: LookAnswer, row: RowAnswer | null, shown: Shown, problems: SymbolProblems): View => {
  const diagram = look.diagram;
  if (!diagram) return { symbols: [], bonds: [], links: [], isMythical: false };
  const off = row ? new Set(row.off) : null;
  const starts = new Map(look.machines.map((machine) => [machine.name, machine.states[machine.initial]?.name ?? '']));
  const mark = row?.kind === 'mythical' || row?.kind === 'pinnacle' ? row.kind : '';
  return {
    symbols: diagram.symbols.map((symbol) => {
      const isOn = off ? !off.has(symbol.name) : symbol.isOn;
      const isSwitched = symbol.machine !== '';
      const problem = problems.symbols.get(symbol.name);
      return {
        symbol,
        isOn,
        state: isSwitched ? ((row ? row.states[symbol.machine] : undefined) ?? starts.get(symbol.machine) ?? '') : '',
        mark: isSwitched ? mark : '',
        isFlashing: isSwitched && mark === 'pinnacle',
        problem: problem?.message ?? '',
        isWarning: problem ? !problem.isError : false,
      };
    }),
    bonds: viewBonds(diagram, row, shown, problems),
    links: viewLinks(diagram),
    isMythical: mark === 'mythical',
  };
};

// ---- what the text alone tells ----

// While a model is wrong its machines are not known, but which junctions are switched can be read: so that nothing flickers while one draws.
export const withMachines = (look: LookAnswer, text: string | null): LookAnswer => {
  const { diagram } = look;
  if (!diagram || look.isRight || text === null || diagram.file !== '') return look;
  let isChanged = false;
  const symbols = diagram.symbols.map((symbol) => {
    if (symbol.sort !== 'junction' || symbol.machine !== '' || symbol.file !== '' || symbol.to <= symbol.from) return symbol;
    const type = /^\s*by\s+([\p{L}_][\p{L}\p{N}_]*)/u.exec(text.slice(symbol.to, symbol.to + 200))?.[1];
    if (type === undefined) return symbol;
    isChanged = true;
    const machineType = look.machineTypes.includes(type) ? type : '';
    return { ...symbol, machine: symbol.name, machineType, width: measures.frameWidth, height: measures.frameHeight };
  });
  return isChanged ? { ...look, diagram: { ...diagram, symbols } } : look;
};

// ---- problems of the checker, by place ----

export type SymbolProblems = {
  symbols: Map<string, { message: string; isError: boolean }>;
  bonds: Map<string, string>;
};

export const noProblems: SymbolProblems = { symbols: new Map(), bonds: new Map() };

type Range = { from: number; to: number };
const touch = (one: Range, other: Range): boolean => one.from <= other.to && other.from <= one.to;

// A problem belongs to the symbol whose name it stands at, else to the bond whose arrow it stands at, else to the last symbol that is declared before it
// on the same line of `text`.
export const problemsOf = (look: LookAnswer, text: string | null): SymbolProblems => {
  const result: SymbolProblems = { symbols: new Map(), bonds: new Map() };
  const diagram = look.diagram;
  if (!diagram || diagram.file !== '') return result;
  const symbols = diagram.symbols.filter((symbol) => symbol.file === '' && symbol.to > symbol.from);
  const put = (name: string, message: string, isError: boolean): void => {
    const there = result.symbols.get(name);
    if (!there) result.symbols.set(name, { message, isError });
    else result.symbols.set(name, { message: `${there.message}\n${message}`, isError: there.isError || isError });
  };
  for (const problem of look.problems) {
    const places: Range[] = [problem, ...problem.related];
    const named = symbols.filter((symbol) => places.some((place) => touch(place, symbol)));
    for (const symbol of named) put(symbol.name, problem.message, problem.isError);
    const bonds = diagram.bonds.filter((bond) => bond.file === '' && bond.to > bond.from && touch(problem, bond));
    for (const bond of bonds) result.bonds.set(bondKey(bond), problem.message);
    if (named.length > 0 || bonds.length > 0 || text === null) continue;
    const before = symbols.filter((symbol) => symbol.to <= problem.from && !text.slice(symbol.to, problem.from).includes('\n'));
    const last = before.reduce<DiagramSymbol | null>((best, symbol) => (!best || symbol.to > best.to ? symbol : best), null);
    if (last) put(last.name, problem.message, problem.isError);
  }
  return result;
};

// Takes over of `previous` what is equal in `next`, so that only what has changed is drawn anew.
export const keepEqual = <Item extends object>(previous: Item[], next: Item[], keyOf: (item: Item) => string): Item[] => {
  const old = new Map(previous.map((item) => [keyOf(item), item]));
  let isSame = previous.length === next.length;
  const kept = next.map((item, at) => {
    const before = old.get(keyOf(item));
    const keep = before && sameDeep(before, item) ? before : item;
    if (keep !== previous[at]) isSame = false;
    return keep;
  });
  return isSame ? previous : kept;
};

const sameDeep = (one: unknown, other: unknown): boolean => {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => sameDeep((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]))
  );
};
