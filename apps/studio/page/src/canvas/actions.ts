// SPDX-License-Identifier: BSD-3-Clause
// What the drawing does to the text: each gesture is one edit, and so one step of undo.
import { call } from '../api';
import { currentSession } from '../document/current';
import type { Point } from '../geometry';
import { useStudio } from '../parts';
import type { Diagram, DiagramBond, DiagramSymbol, EditOperation, PartName, PartsAnswer, Placement } from '../protocol';
import { bondKey } from '../store';
import { arranged } from './arrange';
import type { Arrangement } from './arrange';
import { movedBy, movedTo, withPlaces } from './clipboard';
import { joining } from './connectRules';
import { above, namesOf, whyNotEditable } from './level';
import { freeName } from './names';
import { placeElement, placeInstance, placeSignal } from './placing';
import type { Known, Placing } from './placing';
import type { Bounds } from './wholeSeen';
import { freePlace, gridStep, snapToGrid } from './snapping';
import { paper, pointerNow, setCanvas, useCanvas } from './state';
import type { Item } from './state';

const studio = () => useStudio.getState();
export const diagramNow = (): Diagram | null => studio().look?.diagram ?? null;

// Tells why nothing can be changed here; true when it can.
export const mayEdit = (): boolean => {
  const reason = whyNotEditable(diagramNow(), studio().isReadOnly);
  if (reason) studio().notify('info', reason);
  return reason === '';
};

export const symbolNamed = (name: string): DiagramSymbol | undefined => diagramNow()?.symbols.find((symbol) => symbol.name === name);
export const bondNamed = (key: string): DiagramBond | undefined => diagramNow()?.bonds.find((bond) => bondKey(bond) === key);

// Where a symbol stands, also when the server has not answered yet.
export const placeOf = (symbol: DiagramSymbol): Point => useCanvas.getState().moved.get(symbol.name) ?? { x: symbol.x, y: symbol.y };

// Once something is placed by hand, nothing else may jump about: what was placed automatically stays where it is seen.
const keepPlaces = (diagram: Diagram): EditOperation[] => {
  const places = diagram.symbols.filter((symbol) => !symbol.isPlaced).map((symbol) => ({ name: symbol.name, ...placeOf(symbol) }));
  return places.length > 0 ? [{ op: 'place', where: diagram.where, places: places.map(rounded) }] : [];
};
const rounded = (place: Placement): Placement => ({ ...place, x: Math.round(place.x * 10) / 10, y: Math.round(place.y * 10) / 10 });

const carryOut = async (operations: EditOperation[]): Promise<{ reason: string; names: string[] }> => {
  const answer = await studio().edit(operations);
  if (answer.reason) studio().notify('warning', answer.reason);
  return answer;
};

// ---- moving ----

export const moveSymbols = async (places: Placement[]): Promise<void> => {
  const diagram = diagramNow();
  if (!diagram || places.length === 0) return;
  const moved = new Map(useCanvas.getState().moved);
  for (const place of places) moved.set(place.name, { x: place.x, y: place.y });
  setCanvas({ moved });
  const names = new Set(places.map((place) => place.name));
  const others = diagram.symbols.filter((symbol) => !symbol.isPlaced && !names.has(symbol.name)).map((symbol) => ({ name: symbol.name, ...placeOf(symbol) }));
  const answer = await carryOut([{ op: 'place', where: diagram.where, places: [...places, ...others].map(rounded) }]);
  if (answer.reason) setCanvas({ moved: new Map() });
};

let nudged: ReturnType<typeof setTimeout> | undefined;
const waiting = new Map<string, Placement>();
// By the arrow keys: several strokes soon after each other are one step.
export const nudge = (x: number, y: number): void => {
  const { symbols } = studio().selection;
  if (symbols.length === 0 || !mayEdit()) return;
  const moved = new Map(useCanvas.getState().moved);
  for (const name of symbols) {
    const symbol = symbolNamed(name);
    if (!symbol) continue;
    const at = placeOf(symbol);
    const place = { name, x: at.x + x, y: at.y + y };
    moved.set(name, place);
    waiting.set(name, place);
  }
  setCanvas({ moved });
  clearTimeout(nudged);
  nudged = setTimeout(() => {
    const places = [...waiting.values()];
    waiting.clear();
    void moveSymbols(places);
  }, 350);
};

export const arrange = (arrangement: Arrangement): void => {
  if (!mayEdit()) return;
  const symbols = studio().selection.symbols.map(symbolNamed).filter((symbol) => symbol !== undefined);
  if (symbols.length < 2) return;
  void moveSymbols(arranged(symbols.map((symbol) => ({ ...symbol, ...placeOf(symbol) })), arrangement));
};

// Takes the places out of the text, so that the library finds new ones: of the selection, or of all.
export const layOut = async (names?: string[]): Promise<void> => {
  const diagram = diagramNow();
  if (!diagram || !mayEdit()) return;
  const which = (names && names.length > 0 ? diagram.symbols.filter((symbol) => names.includes(symbol.name)) : diagram.symbols).filter((symbol) => symbol.isPlaced);
  if (which.length === 0) return;
  const answer = await carryOut([{ op: 'unplace', where: diagram.where, names: which.map((symbol) => symbol.name) }]);
  if (!answer.reason) setTimeout(() => fit(), 350);
};

// ---- placing ----

export const known = (): Known => {
  const look = studio().look;
  const text = currentSession()?.state.doc.toString() ?? '';
  return { names: namesOf(look, text), machineTypes: new Set(look?.machineTypes ?? []) };
};

export const kindOf = (item: Item): string => (item.sort === 'submodel' ? item.info.name : item.row.kind);

// What the field says first: a free name, and for blocks what they do; typing goes over it.
export const firstText = (item: Item): { text: string; selected: [number, number] } => {
  const names = known().names;
  if (item.sort === 'block') {
    const name = freeName(item.row.stem, names);
    const text = `${name} = ${item.row.template}`;
    return { text, selected: [0, text.length] };
  }
  const stem = item.sort === 'element' ? item.row.stem : item.info.name.charAt(0).toLowerCase() + item.info.name.slice(1);
  const text = freeName(stem, names);
  return { text, selected: [0, text.length] };
};

export const beginPlacing = (item: Item, at: Point, joinTo = ''): void => {
  if (!mayEdit()) return;
  const first = firstText(item);
  setCanvas({ armed: null, quickAdd: null, menu: null, connecting: null, entryReason: '', entry: { kind: 'place', item, at: snapToGrid(at), joinTo, goesOn: false, ...first } });
};

export const read = (item: Item, text: string): Placing => {
  if (item.sort === 'element') return placeElement(item.row.kind, text, known());
  if (item.sort === 'block') return placeSignal(item.row.word, text, known(), item.row.template);
  return placeInstance(item.info.name, text, known());
};

// '' or the reason why it cannot be placed like this.
export const finishPlacing = async (item: Item, text: string, at: Point, joinTo: string): Promise<{ reason: string; name: string }> => {
  const diagram = diagramNow();
  if (!diagram) return { reason: 'There is no drawing yet.', name: '' };
  const placing = read(item, text);
  if (placing.reason) return { reason: placing.reason, name: '' };
  const operations: EditOperation[] = [...keepPlaces(diagram)];
  if (item.sort === 'submodel' && item.info.file !== '') operations.push({ op: 'import', file: item.info.file.replace(/^library:/, '') });
  operations.push({ op: 'add', where: diagram.where, statements: placing.statements, places: [{ name: placing.name, ...at }] });
  if (joinTo) operations.push({ op: 'connect', where: diagram.where, ...endsWithNew(item, placing.name, joinTo) });
  const answer = await studio().edit(operations);
  if (answer.reason) return { reason: answer.reason, name: '' };
  const parameters = placing.added.filter((name) => placing.statements.includes(`param ${name} = `));
  if (parameters.length > 0) studio().notify('info', `${parameters.join(' and ')} ${parameters.length > 1 ? 'are parameters now: their values stand' : 'is a parameter now: its value stands'} in the inspector.`);
  studio().select({ symbols: [placing.name], bonds: [] });
  return { reason: '', name: placing.name };
};

// Which way the bond to a new symbol goes: by the same rules as between two that are there.
const endsWithNew = (item: Item, name: string, joinTo: string): { tail: string; head: string } => {
  const diagram = diagramNow();
  const asDrawn = { tail: joinTo, head: name };
  if (!diagram) return asDrawn;
  const found = joining({ ...diagram, symbols: [...diagram.symbols, imagined(item, name, { x: 0, y: 0 })] }, joinTo, name);
  return found.kind === 'none' ? asDrawn : { tail: found.tail, head: found.head };
};

// A symbol that is not in the text yet.
export const imagined = (item: Item, name: string, at: Point): DiagramSymbol => {
  const kind = kindOf(item);
  const isJunction = item.sort === 'element' && (kind === '0' || kind === '1');
  const [width, height] = item.sort === 'submodel' ? [72, 44] : item.sort === 'block' ? [36, 28] : isJunction ? [16, 20] : [(kind.length + name.length + 2) * 8, 22];
  return {
    sort: item.sort === 'submodel' ? 'submodel' : item.sort === 'block' ? 'signal' : isJunction ? 'junction' : 'element',
    name, path: name, kind, label: '', x: at.x, y: at.y, width, height, isPlaced: true, from: 0, to: 0, file: '', isRepeated: false, machine: '', machineType: '',
    isOn: true, definition: '',
  };
};

// Where something goes that is placed by a key: under the pointer, else beside what is selected, else in the middle of what is seen.
export const placeForNew = (): Point => {
  const sheet = paper();
  const diagram = diagramNow();
  const pointer = pointerNow();
  if (!sheet) return { x: 0, y: 0 };
  if (pointer) return snapToGrid(sheet.flow.screenToFlowPosition(pointer));
  const selected = studio().selection.symbols[0];
  const symbol = selected === undefined ? undefined : symbolNamed(selected);
  const rectangle = sheet.element.getBoundingClientRect();
  const middle = sheet.flow.screenToFlowPosition({ x: rectangle.left + rectangle.width / 2, y: rectangle.top + rectangle.height / 2 });
  const others = (diagram?.symbols ?? []).map((each) => ({ ...each, ...placeOf(each) }));
  return freePlace(symbol ? { x: placeOf(symbol).x + 120, y: placeOf(symbol).y } : middle, { width: 60, height: 40 }, others);
};

// ---- bonds ----

export const connect = async (from: string, to: string): Promise<string> => {
  const diagram = diagramNow();
  if (!diagram) return 'There is no drawing yet.';
  const found = joining(diagram, from, to);
  if (found.kind === 'none') return found.reason;
  const operation: EditOperation =
    found.kind === 'switch'
      ? { op: 'part', where: diagram.where, name: found.head, part: 'control', text: found.tail }
      : { op: 'connect', where: diagram.where, tail: found.tail, head: found.head };
  const answer = await studio().edit([...keepPlaces(diagram), operation]);
  return answer.reason;
};

export const reverseBonds = (keys: string[]): void => {
  if (!mayEdit()) return;
  const bonds = keys.map(bondNamed).filter((bond) => bond !== undefined);
  const fixed = bonds.find((bond) => bond.isRepeated);
  if (fixed) {
    studio().notify('info', `${fixed.name} is made by a loop together with others: turn it in the text.`, { title: 'Show', run: () => studio().showText(fixed.from, fixed.to) });
    return;
  }
  if (bonds.length > 0) void carryOut(bonds.map((bond) => ({ op: 'reverse', from: bond.from, to: bond.to })));
};

export const removeSelected = async (): Promise<void> => {
  const diagram = diagramNow();
  const { selection } = studio();
  if (!diagram || (selection.symbols.length === 0 && selection.bonds.length === 0) || !mayEdit()) return;
  const arrows = selection.bonds.map(bondNamed).filter((bond) => bond !== undefined).map((bond) => ({ from: bond.from, to: bond.to }));
  const answer = await carryOut([...keepPlaces(diagram), { op: 'remove', where: diagram.where, names: selection.symbols, arrows }]);
  if (!answer.reason) studio().select({ symbols: [], bonds: [] });
};

// ---- copying ----

const writeClipboard = (text: string): void => {
  useStudio.setState({ clipboard: text });
  navigator.clipboard?.writeText(text).catch(() => undefined); // without permission it stays within the page
};

const unplaced = (names: string[]): Placement[] =>
  names.map(symbolNamed).flatMap((symbol) => (symbol && !symbol.isPlaced ? [{ name: symbol.name, ...placeOf(symbol) }] : []));
export const copySelected = async (): Promise<boolean> => {
  const diagram = diagramNow();
  const { symbols } = studio().selection;
  if (!diagram || symbols.length === 0) return false;
  const answer = await studio().copy(diagram.where, symbols);
  if (answer.reason) {
    studio().notify('warning', answer.reason);
    return false;
  }
  writeClipboard(withPlaces(answer.statements, unplaced(symbols)));
  return true;
};
export const cutSelected = async (): Promise<void> => {
  if (mayEdit() && (await copySelected())) await removeSelected();
};
const addCopied = async (statements: string): Promise<void> => {
  const diagram = diagramNow();
  if (!diagram || statements.trim() === '') return;
  const answer = await carryOut([...keepPlaces(diagram), { op: 'add', where: diagram.where, statements, places: [] }]);
  if (!answer.reason) studio().select({ symbols: answer.names, bonds: [] });
};
export const paste = (text: string): void => {
  const statements = text.trim() !== '' ? text : studio().clipboard;
  if (statements.trim() === '' || !mayEdit()) return;
  const pointer = pointerNow();
  const sheet = paper();
  void addCopied(pointer && sheet ? movedTo(statements, sheet.flow.screenToFlowPosition(pointer), gridStep) : movedBy(statements, { x: 2 * gridStep, y: 2 * gridStep }));
};
export const duplicateSelected = async (): Promise<void> => {
  const diagram = diagramNow();
  const { symbols } = studio().selection;
  if (!diagram || symbols.length === 0 || !mayEdit()) return;
  const answer = await studio().copy(diagram.where, symbols);
  if (answer.reason) studio().notify('warning', answer.reason);
  else await addCopied(movedBy(withPlaces(answer.statements, unplaced(symbols)), { x: 2 * gridStep, y: 2 * gridStep }));
};

// ---- names, parts, machines, submodels ----

export const rename = async (name: string, next: string): Promise<string> => {
  const symbol = symbolNamed(name);
  if (!symbol || next === name) return '';
  const answer = await studio().edit([{ op: 'rename', at: symbol.from, name: next }]);
  if (answer.reason) return answer.reason;
  studio().select({ symbols: [next], bonds: [] });
  return '';
};

export const partsOf = async (name: string, where = diagramNow()?.where ?? '', signal?: AbortSignal): Promise<PartsAnswer | null> => {
  const session = currentSession();
  if (!session) return null;
  try {
    await session.flush();
    return await call('parts', { path: session.path, version: session.version, where, name }, signal);
  } catch {
    return null; // the text has moved on; who still needs it asks again
  }
};

export const setPart = async (name: string, part: PartName, text: string, where = diagramNow()?.where ?? ''): Promise<string> => {
  const answer = await studio().edit([{ op: 'part', where, name, part, text }]);
  return answer.reason;
};

// Opens the field for what stands beside a symbol: the law where it has one, else its arguments.
export const editLabel = async (name: string): Promise<void> => {
  const symbol = symbolNamed(name);
  if (!symbol || !mayEdit()) return;
  if (symbol.sort === 'junction' || symbol.sort === 'port' || symbol.sort === 'machine') {
    beginRename(name);
    return;
  }
  const answer = await partsOf(name);
  if (!answer || answer.reason) {
    if (answer) studio().notify('warning', answer.reason);
    return;
  }
  const part = symbol.sort === 'signal' ? 'value' : answer.parts.law.text !== '' ? 'law' : 'arguments';
  if (!answer.parts[part].isPossible) beginRename(name);
  else setCanvas({ entryReason: '', entry: { kind: 'part', name, part, text: answer.parts[part].text } });
};

export const beginRename = (name: string): void => {
  const symbol = symbolNamed(name);
  if (!symbol || !mayEdit()) return;
  if (symbol.isRepeated) {
    studio().notify('info', `${name} is declared together with others: rename them in the text.`, { title: 'Show', run: () => studio().showText(symbol.from, symbol.to) });
    return;
  }
  setCanvas({ entryReason: '', entry: { kind: 'rename', name, text: name } });
};

export const giveMachine = async (name: string): Promise<void> => {
  const diagram = diagramNow();
  const symbol = symbolNamed(name);
  if (!diagram || symbol?.sort !== 'junction' || !mayEdit()) return;
  if (symbol.machine) {
    studio().select({ symbols: [name], bonds: [] });
    return;
  }
  await carryOut([{ op: 'add-machine', where: diagram.where, junction: name }]);
};

export const extract = async (name: string): Promise<string> => {
  const diagram = diagramNow();
  const { symbols } = studio().selection;
  if (!diagram || symbols.length === 0) return 'Select the symbols that the submodel is to be made of.';
  const answer = await studio().edit([...keepPlaces(diagram), { op: 'extract', where: diagram.where, names: symbols, name }]);
  if (!answer.reason) studio().select({ symbols: answer.names.filter((each) => each !== name), bonds: [] });
  return answer.reason;
};

// ---- what is seen ----

export const enter = (name: string): boolean => {
  const symbol = symbolNamed(name);
  if (symbol?.sort !== 'submodel') return false;
  studio().setLevel(symbol.path);
  return true;
};
export const leave = (): void => {
  if (studio().level !== '') studio().setLevel(above(studio().level));
};
// The rectangle in which all symbols stand, with so much room around them; null of an empty paper.
export const drawnBounds = (around = 0): Bounds | null => {
  const symbols = diagramNow()?.symbols ?? [];
  if (symbols.length === 0) return null;
  return {
    left: Math.min(...symbols.map((symbol) => placeOf(symbol).x - symbol.width / 2)) - around,
    right: Math.max(...symbols.map((symbol) => placeOf(symbol).x + symbol.width / 2)) + around,
    top: Math.min(...symbols.map((symbol) => placeOf(symbol).y - symbol.height / 2)) - around,
    bottom: Math.max(...symbols.map((symbol) => placeOf(symbol).y + symbol.height / 2)) + around,
  };
};

const barHeight = 34; // [px] of the tools at the lower rim
// What shows all that is drawn at once in a pane of this size, not larger than life by much.
export const fittedViewport = (width: number, height: number): { x: number; y: number; zoom: number } => {
  const bounds = drawnBounds(46); // room for names, labels and bars at the rims
  if (!bounds || width === 0 || height === 0) return { x: width / 2, y: height / 2, zoom: 1 };
  const { left, right, top, bottom } = bounds;
  const free = Math.max(height - barHeight, height / 2);
  const zoom = Math.max(0.05, Math.min(1.5, width / (right - left), free / (bottom - top)));
  return { x: width / 2 - ((left + right) / 2) * zoom, y: free / 2 - ((top + bottom) / 2) * zoom, zoom };
};

export const fit = (): void => {
  const sheet = paper();
  if (!sheet) return;
  const { width, height } = sheet.element.getBoundingClientRect();
  void sheet.flow.setViewport(fittedViewport(width, height));
};

// Brings a symbol into sight and selects it; also for the search of the whole page.
export const showSymbol = (name: string): void => {
  const symbol = symbolNamed(name);
  const sheet = paper();
  if (!symbol || !sheet) return;
  studio().select({ symbols: [name], bonds: [] });
  const at = placeOf(symbol);
  void sheet.flow.setCenter(at.x, at.y, { zoom: Math.max(sheet.flow.getZoom(), 0.8), duration: 0 });
};

// Through all symbols, in the order in which one reads. False behind the last: the page goes on then.
export const selectNext = (step: 1 | -1): boolean => {
  const diagram = diagramNow();
  if (!diagram || diagram.symbols.length === 0) return false;
  const line = (symbol: DiagramSymbol): number => Math.round(placeOf(symbol).y / 40);
  const ordered = [...diagram.symbols].sort((one, other) => line(one) - line(other) || placeOf(one).x - placeOf(other).x || (one.name < other.name ? -1 : 1));
  const at = ordered.findIndex((symbol) => symbol.name === studio().selection.symbols[0]);
  const symbol = ordered[at < 0 ? (step > 0 ? 0 : ordered.length - 1) : at + step];
  if (!symbol) return false;
  studio().select({ symbols: [symbol.name], bonds: [] });
  const sheet = paper();
  if (!sheet) return true;
  const screen = sheet.flow.flowToScreenPosition(placeOf(symbol));
  const rectangle = sheet.element.getBoundingClientRect();
  const isSeen = screen.x > rectangle.left + 20 && screen.x < rectangle.right - 20 && screen.y > rectangle.top + 20 && screen.y < rectangle.bottom - 20;
  if (!isSeen) showSymbol(symbol.name);
  return true;
};
