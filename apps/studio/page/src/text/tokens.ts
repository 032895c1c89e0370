// SPDX-License-Identifier: BSD-3-Clause
// What a word of a .hbg text is. Only few words are never names (`and`, `if`, ...); all others count as words of the language where they can be
// nothing else: at the beginning of a statement, before or behind a name.
import { ExternalTokenizer } from '@lezer/lr';
import type { InputStream } from '@lezer/lr';
import * as term from './hbg.grammar.terms';

const words = (text: string) => new Set(text.split(' '));
const types = words('model submodel machine function region');
const declarations = words('param signal var block clock event table data port in out');
const statements = words('import for stop tolerance method step interval sliding initial enter leave drawing machine region');
const kinds = words('Se Sf R C I TF GY MSe MSf MR MC MI MTF MGY IC RS 0 1');
const states = words('on off');
const parts = words('start by initial history after do send priority as at guess');
const reserved = words('and or not in if then else when');
const constants = words('true false pi time');
export const functionNames = words(
  'abs sign sqrt exp log log10 floor ceil sin cos tan asin acos atan sinh cosh tanh min max atan2 hypot mod limit integral step pulse steps pre ' +
    'impulse finite every sample previous ticks first_order_hold noise uniform_noise moving_average discrete_integral discrete_transfer ' +
    'discrete_state_space discrete_pid pwm deadzone quantise sum product gain transfer state_space pid lag delay hysteresis rate_limit',
);

const isBlank = (code: number) => code === 32 || code === 9;
const isFigure = (code: number) => code >= 48 && code <= 57;
const isLetter = (code: number) =>
  (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || (code >= 128 && /[\p{L}\p{M}\p{N}\uD800-\uDFFF]/u.test(String.fromCharCode(code)));
const isLetterOrFigure = (code: number) => isLetter(code) || isFigure(code);
const code = (character: string) => character.charCodeAt(0);
const beginsStatement = (before: number) => before < 0 || before === 10 || before === 13 || before === code(';') || before === code('{');
const beginsPart = (before: number) => beginsStatement(before) || before === code(',') || before === code('(');

// Where the last character before the word stands that is no blank, counted back from it.
function skipBlanksBack(input: InputStream, from: number): number {
  let at = from;
  while (isBlank(input.peek(at))) at -= 1;
  return at;
}
function wordBack(input: InputStream, last: number): string {
  let text = '';
  for (let at = last; isLetterOrFigure(input.peek(at)) && text.length < 12; at -= 1) text = String.fromCharCode(input.peek(at)) + text;
  return text;
}

export const wordTokens = new ExternalTokenizer((input) => {
  if (input.next === code('[')) return readUnit(input);
  if (isLetter(input.next)) return readWord(input);
  if (input.next === code('0') || input.next === code('1')) readJunction(input);
});
export { wordTokens as words };

// `[kg*m^2]` behind a number, a parenthesis or a list; an index stands directly behind a name.
function readUnit(input: InputStream) {
  const back = skipBlanksBack(input, -1);
  const before = input.peek(back);
  const isBehindNumber = isFigure(before) && !isLetter(firstOfWord(input, back));
  const isBehindBracket = back < -1 && (before === code(')') || before === code(']'));
  if (!isBehindNumber && !isBehindBracket) return;
  let length = 1;
  for (; input.peek(length) !== code(']'); length += 1) if (/[[\]{};\n\r,]/.test(charAt(input, length))) return;
  input.acceptToken(term.Unit, length + 1);
}
const charAt = (input: InputStream, at: number) => (input.peek(at) < 0 ? '\n' : String.fromCharCode(input.peek(at)));
// The first character of the word whose last one stands at `last`: that of `x2` is a letter, that of `1e5` is not.
function firstOfWord(input: InputStream, last: number): number {
  let at = last;
  while (isLetterOrFigure(input.peek(at - 1)) || (input.peek(at - 1) === code('.') && isFigure(input.peek(at - 2)))) at -= 1;
  return input.peek(at);
}

// `0` and `1` at the beginning of a statement, before a name: kinds of junctions.
function readJunction(input: InputStream) {
  if (!beginsStatement(input.peek(skipBlanksBack(input, -1)))) return;
  let after = 1;
  while (isBlank(input.peek(after))) after += 1;
  if (after > 1 && isLetter(input.peek(after))) input.acceptToken(term.Kind, 1);
}

function readWord(input: InputStream) {
  let length = 0;
  let word = '';
  for (; isLetterOrFigure(input.peek(length)); length += 1) word += String.fromCharCode(input.peek(length));
  input.acceptToken(kindOfWord(input, word, length), length);
}

function kindOfWord(input: InputStream, word: string, length: number): number {
  const back = skipBlanksBack(input, -1);
  const before = input.peek(back);
  const isApart = isBlank(input.peek(length));
  let next = length;
  while (isBlank(input.peek(next))) next += 1;
  const after = input.peek(next);
  const isUsed = after === code('=') || after === code('<') || (after === code('-') && input.peek(next + 1) === code('>')); // a name: `stop -> a`, `start = 1`
  if (before === code('.') && input.peek(back - 1) !== code('.')) return term.Member;
  if (isApart && isLetter(after)) {
    if (beginsStatement(before) && types.has(word)) return term.DeclarationWord;
    if (beginsPart(before) && declarations.has(word)) return term.DeclarationWord;
    if (beginsStatement(before) && kinds.has(word)) return term.Kind;
    if (beginsStatement(before) && states.has(word)) return term.StateWord;
  }
  if (beginsStatement(before) && statements.has(word) && (isApart || after === code('{')) && !isUsed) return term.StatementWord;
  if (reserved.has(word)) return term.Reserved;
  if (constants.has(word)) return term.Constant;
  if (back < -1 && parts.has(word) && isBehindName(before) && isPartEnd(input.peek(length)) && !isUsed) return term.PartWord;
  if (isLetterOrFigure(before) && back < -1 && types.has(wordBack(input, back))) return term.TypeName;
  if (after === code('(') && functionNames.has(word)) return term.Function;
  return term.Name;
}
const isBehindName = (before: number) => isLetterOrFigure(before) || before === code(')') || before === code(']') || before === code('}');
const isPartEnd = (next: number) => isBlank(next) || next < 0 || next === 10 || next === 13 || next === code(';') || next === code('}') || next === code(',');
