// SPDX-License-Identifier: BSD-3-Clause
// The language for the text editor: colours, folding, indenting.
import { HighlightStyle, LRLanguage, LanguageSupport, continuedIndent, delimitedIndent, foldInside, foldNodeProp, indentNodeProp, syntaxHighlighting } from '@codemirror/language';
import { styleTags, tags } from '@lezer/highlight';
import { parser } from './hbg.grammar';

export const hbgParser = parser.configure({
  props: [
    styleTags({
      DeclarationWord: tags.definitionKeyword,
      'StatementWord PartWord': tags.controlKeyword,
      StateWord: tags.modifier,
      Kind: tags.typeName,
      Reserved: tags.operatorKeyword,
      Constant: tags.atom,
      TypeName: tags.className,
      Member: tags.propertyName,
      Function: tags.standard(tags.function(tags.variableName)),
      Name: tags.variableName,
      Number: tags.number,
      Unit: tags.unit,
      Quoted: tags.string,
      LineComment: tags.lineComment,
      BlockComment: tags.blockComment,
      'Arrow Operator': tags.operator,
      Punctuation: tags.punctuation,
    }),
    foldNodeProp.add({ Block: foldInside, List: foldInside, BlockComment: (node) => ({ from: node.from + 2, to: node.to - 2 }) }),
    indentNodeProp.add({ Block: delimitedIndent({ closing: '}', align: false }), Parentheses: continuedIndent(), List: continuedIndent() }),
  ],
});

export const hbgLanguage = LRLanguage.define({
  name: 'hbg',
  parser: hbgParser,
  languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } }, closeBrackets: { brackets: ['(', '[', '{'] }, indentOnInput: /^\s*\}$/ },
});

const colours = HighlightStyle.define([
  { tag: [tags.definitionKeyword, tags.controlKeyword, tags.modifier, tags.operatorKeyword], color: 'var(--code-word)' },
  { tag: tags.typeName, color: 'var(--code-kind)', fontWeight: '600' },
  { tag: tags.className, color: 'var(--code-name)', fontWeight: '600' },
  { tag: [tags.number, tags.atom], color: 'var(--code-number)' },
  { tag: tags.unit, color: 'var(--code-unit)' },
  { tag: tags.comment, color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: tags.standard(tags.function(tags.variableName)), color: 'var(--code-function)' },
  { tag: [tags.operator, tags.punctuation], color: 'var(--code-operator)' },
  { tag: [tags.variableName, tags.propertyName], color: 'var(--code-name)' },
]);

export const hbg = () => [new LanguageSupport(hbgLanguage), syntaxHighlighting(colours)];
