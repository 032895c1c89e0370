// SPDX-License-Identifier: BSD-3-Clause
// What the text of a block tells of its inputs: "sum(+wanted, -position)".

// The arguments of the one call that `label` is; none when it is something else, or was shortened.
export const argumentsOf = (label: string): string[] => {
  const inside = /^[\p{L}_][\p{L}\p{N}_]*\s*\(([\s\S]*)\)$/u.exec(label.trim())?.[1];
  if (inside === undefined) return [];
  const found: string[] = [];
  let depth = 0, begin = 0;
  for (let at = 0; at <= inside.length; at++) {
    const letter = inside.charAt(at);
    if (letter === '(' || letter === '[') depth++;
    if (letter === ')' || letter === ']') depth--;
    if (at === inside.length || (letter === ',' && depth === 0)) {
      found.push(inside.slice(begin, at).trim());
      begin = at + 1;
    }
  }
  return found.filter((each) => each !== '');
};

// The sign of each input of a sum, "+−"; '' when it is not known, or there are too many to be written into a circle.
export const signsOf = (label: string): string => {
  if (/^[+−-]{1,3}$/.test(label.replaceAll(' ', ''))) return label.replaceAll(' ', '').replaceAll('-', '−');
  const inputs = argumentsOf(label);
  return inputs.length === 0 || inputs.length > 3 ? '' : inputs.map((input) => (input.startsWith('-') ? '−' : '+')).join('');
};
