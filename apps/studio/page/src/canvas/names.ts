// SPDX-License-Identifier: BSD-3-Clause
// Names of the language: which are possible, which are free.

const nameShape = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const reserved = new Set(['and', 'or', 'not', 'if', 'then', 'else', 'when', 'in', 'true', 'false', 'pi', 'time']);

// '' when `name` can be a name, else a sentence.
export const whyNotName = (name: string): string => {
  if (name === '') return 'A name is needed.';
  if (reserved.has(name)) return `"${name}" is a word of the language and cannot be a name.`;
  if (!nameShape.test(name)) return `"${name}" is no name: letters, figures and _ only, and no figure first.`;
  return '';
};

export const isName = (name: string): boolean => whyNotName(name) === '';

// `stem` with the least number that makes it free: "C1", "C2".
export const freeName = (stem: string, taken: Iterable<string>): string => {
  const set = new Set(taken);
  for (let number = 1; ; number++) {
    const name = `${stem}${number}`;
    if (!set.has(name)) return name;
  }
};
