// SPDX-License-Identifier: BSD-3-Clause
// What the text says a model's parameters are: "250 [g]", "0.1^(1/2) [m/s]". The server tells their values, this tells how they were written.
import type { ParameterInfo } from '../protocol';

// Of the parameters that are declared by `param` in the body of the model, by name. What cannot be understood is left out.
export const parameterTexts = (text: string): Map<string, string> => {
  const found = new Map<string, string>();
  const plain = withoutComments(text);
  const body = bodyOfModel(plain);
  for (const declaration of body.matchAll(/(?:^|[\n;{])[ \t]*param\s+/g)) {
    let at = declaration.index + declaration[0].length;
    for (;;) {
      const name = /^\s*([\p{L}_][\p{L}\p{N}_]*)\s*=(?!=)\s*/u.exec(body.slice(at, at + 200));
      if (!name) break;
      at += name[0].length;
      const end = endOfValue(body, at);
      found.set(name[1]!, body.slice(at, end).replace(/\s*"[^"]*"\s*$/, '').trim());
      if (body.charAt(end) !== ',') break;
      at = end + 1;
    }
  }
  return found;
};

// When a run of the model ends, as it is written; '' where that is not said.
export const stopText = (text: string): string => {
  const body = bodyOfModel(withoutComments(text));
  const found = /(?:^|[\n;{])[ \t]*stop\s+/.exec(body);
  return found ? body.slice(found.index + found[0].length, endOfValue(body, found.index + found[0].length)).trim() : '';
};

// The parameters that the server tells, and those that only the text knows, since the model is not right yet.
export const allParameters = (known: ParameterInfo[], written: Map<string, string>): ParameterInfo[] => [
  ...known,
  ...[...written.keys()].filter((name) => !known.some((parameter) => parameter.name === name)).map((name) => ({ name, value: 0, unit: '', description: '' })),
];

// Of the same length, so that places stay.
const withoutComments = (text: string): string => text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));

const bodyOfModel = (text: string): string => {
  const head = /(?:^|\n)\s*model\s+[\p{L}_][\p{L}\p{N}_]*/u.exec(text);
  if (!head) return '';
  const begin = text.indexOf('{', head.index);
  if (begin < 0) return '';
  let depth = 0;
  for (let at = begin; at < text.length; at++) {
    if (text.charAt(at) === '{') depth++;
    if (text.charAt(at) === '}' && --depth === 0) return blankInner(text.slice(begin, at));
  }
  return blankInner(text.slice(begin));
};

// Without what stands in inner braces: machines, loops, drawings.
const blankInner = (body: string): string => {
  let depth = 0;
  return [...body].map((letter) => {
    if (letter === '{') depth++;
    if (letter === '}') depth--;
    return depth > 1 && letter !== '\n' ? ' ' : letter;
  }).join('');
};

const endOfValue = (text: string, from: number): number => {
  let depth = 0;
  let isText = false;
  for (let at = from; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === '"') isText = !isText;
    if (isText) continue;
    if (letter === '(' || letter === '[') depth++;
    if (letter === ')' || letter === ']') depth--;
    if (depth <= 0 && (letter === ',' || letter === ';' || letter === '\n' || letter === '}')) return at;
  }
  return text.length;
};
