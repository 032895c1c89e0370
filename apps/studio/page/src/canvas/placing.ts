// SPDX-License-Identifier: BSD-3-Clause
// What is typed beside a symbol that was just placed, as statements of the language:
//   I   "body(m)  start f = v"   ->   I body(m)  start f = v
//   I   "body(m = 2 [kg])"       ->   I body(m), param m = 2 [kg]
//   0   "contact by Impact"      ->   0 contact by Impact, machine Impact { ... } when there is none yet
//   a block "x = integral(v.f)"  ->   signal x = integral(v.f)
import { elementRow } from './elementTable';
import { isName, whyNotName } from './names';

export type Known = {
  names: Set<string>; // of everything in the model
  machineTypes: Set<string>;
};
export type Placing = {
  statements: string;
  name: string; // of the symbol
  added: string[]; // parameters and machine types that come with it
  reason: string; // '' when it can be placed
};

const refuse = (reason: string): Placing => ({ statements: '', name: '', added: [], reason });

const splitName = (text: string): { name: string; rest: string } => {
  const found = /^\s*([\p{L}\p{N}_]*)\s*([\s\S]*)$/u.exec(text);
  return { name: found?.[1] ?? '', rest: (found?.[2] ?? '').trim() };
};

// The text within the parentheses that `rest` begins with, and what follows them; null when they are never closed.
const splitArguments = (rest: string): { inside: string; behind: string } | null => {
  let depth = 0;
  for (let at = 0; at < rest.length; at++) {
    const letter = rest.charAt(at);
    if (letter === '(' || letter === '[') depth++;
    if (letter === ')' || letter === ']') depth--;
    if (depth === 0) return { inside: rest.slice(1, at).trim(), behind: rest.slice(at + 1).trim() };
  }
  return null;
};

// "m = 2 [kg]" in the parentheses of an element declares the parameter by the way. `K =` of a C is its stiffness.
const declaredArgument = (kind: string, inside: string): { name: string; value: string; written: string } | null => {
  const stiffness = kind === 'C' ? /^K\s*=\s*/.exec(inside) : null;
  const prefix = stiffness ? 'K = ' : '';
  const found = /^([\p{L}_][\p{L}\p{N}_]*)\s*=(?!=)\s*([\s\S]+)$/u.exec(stiffness ? inside.slice(stiffness[0].length) : inside);
  return found && isName(found[1]!) ? { name: found[1]!, value: found[2]!.trim(), written: prefix + found[1]! } : null;
};

const bareName = (kind: string, inside: string): string | null => {
  const text = kind === 'C' ? inside.replace(/^K\s*=\s*/, '') : inside;
  return isName(text) ? text : null;
};

export const placeElement = (kind: string, text: string, known: Known): Placing => {
  const { name, rest } = splitName(text);
  const wrong = whyNotName(name);
  if (wrong) return refuse(wrong);
  if (known.names.has(name)) return refuse(`There is already something with the name ${name}. Choose another one.`);
  const row = elementRow(kind);
  const added: string[] = [];
  const extra: string[] = [];
  const declare = (parameter: string, value: string): void => {
    added.push(parameter);
    extra.push(`param ${parameter} = ${value}`);
  };

  let tail = rest;
  let inside = '';
  if (rest.startsWith('(')) {
    const split = splitArguments(rest);
    if (!split) return refuse('A closing ) is missing.');
    inside = split.inside;
    tail = split.behind;
    const declared = row && row.ports !== Infinity ? declaredArgument(row.kind, inside) : null;
    const bare = row?.mayBeParameter ? bareName(row.kind, inside) : null;
    if (declared) {
      if (known.names.has(declared.name)) return refuse(`There is already something with the name ${declared.name}: write ${declared.name} alone to use it.`);
      inside = declared.written;
      declare(declared.name, declared.value);
    } else if (bare && !known.names.has(bare)) {
      declare(bare, '1');
    }
  }
  if (tail !== '' && !/^(:|start\b|by\b|"|\{)/.test(tail)) {
    return refuse(`Behind the name can stand (value), : law, start ..., by Machine; not "${tail}".`);
  }
  const start = /^start\s+[efpq]\s*=\s*([\p{L}_][\p{L}\p{N}_]*)$/u.exec(tail);
  if (start && isName(start[1]!) && !known.names.has(start[1]!) && !added.includes(start[1]!)) declare(start[1]!, '0');
  const control = /^by\s+([\p{L}_][\p{L}\p{N}_]*)/u.exec(tail);
  if (control && !known.machineTypes.has(control[1]!) && !known.names.has(control[1]!)) {
    added.push(control[1]!);
    extra.push(`machine ${control[1]!} {\n  on  closed  initial\n  off open\n}`);
  }
  const own = `${kind} ${name}${inside === '' ? '' : `(${inside})`}${tail === '' ? '' : tail.startsWith(':') ? tail : `  ${tail}`}`;
  return { statements: [...extra, own].join('\n'), name, added, reason: '' };
};

// A name alone gets what the block does by itself: `template`.
export const placeSignal = (word: 'signal' | 'block', text: string, known: Known, template = ''): Placing => {
  const { name, rest } = splitName(text);
  const wrong = whyNotName(name);
  if (wrong) return refuse(wrong);
  if (known.names.has(name)) return refuse(`There is already something with the name ${name}. Choose another one.`);
  const value = rest === '' ? template : rest.replace(/^=\s*/, '');
  if ((rest !== '' && !rest.startsWith('=')) || value === '') return refuse('Write name = expression.');
  // A block is one call of a function; whatever else was typed is a signal.
  const isCall = /^[\p{L}_][\p{L}\p{N}_]*\s*\([\s\S]*\)\s*$/u.test(value);
  return { statements: `${word === 'block' && !isCall ? 'signal' : word} ${name} = ${value}`, name, added: [], reason: '' };
};

export const placeInstance = (type: string, text: string, known: Known): Placing => {
  const { name, rest } = splitName(text);
  const wrong = whyNotName(name);
  if (wrong) return refuse(wrong);
  if (known.names.has(name)) return refuse(`There is already something with the name ${name}. Choose another one.`);
  if (rest !== '' && !rest.startsWith('(')) return refuse(`Behind the name can stand (arguments); not "${rest}".`);
  if (rest !== '' && !splitArguments(rest)) return refuse('A closing ) is missing.');
  return { statements: `${type} ${name}${rest}`, name, added: [], reason: '' };
};
