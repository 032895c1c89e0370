// SPDX-License-Identifier: BSD-3-Clause
// Grammars become modules by @lezer/generator while the page is built.
declare module '*.grammar' {
  import type { LRParser } from '@lezer/lr';
  export const parser: LRParser;
}
declare module '*.grammar.terms' {
  export const DeclarationWord: number;
  export const StatementWord: number;
  export const StateWord: number;
  export const PartWord: number;
  export const Kind: number;
  export const Reserved: number;
  export const Constant: number;
  export const TypeName: number;
  export const Member: number;
  export const Function: number;
  export const Name: number;
  export const Unit: number;
}
