// SPDX-License-Identifier: BSD-3-Clause
// What could be written in a guard: what the server proposes at the place of the guard in the text, and behind a point the variables of a symbol.
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { call } from '../api';
import type { DiagramSymbol, LookAnswer } from '../protocol';

export type Asking = { path: string; version: number; at: number };

const variables: Record<string, string[]> = {
  Se: ['e', 'f'], Sf: ['e', 'f'], R: ['e', 'f'], C: ['e', 'f', 'q'], I: ['e', 'f', 'p'], TF: ['e1', 'f1', 'e2', 'f2'], GY: ['e1', 'f1', 'e2', 'f2'], '0': ['e'], '1': ['f'],
};

// The variables of a symbol, as the language names them.
export const variablesOf = (symbol: Pick<DiagramSymbol, 'kind'>): string[] => variables[symbol.kind.replace(/^M(?=.)/, '')] ?? [];

export function membersOf(look: LookAnswer | null, owner: string): string[] {
  const symbol = look?.diagram?.symbols.find((candidate) => candidate.name === owner);
  return symbol ? variablesOf(symbol) : [];
}

const wordBefore = /[\p{L}\p{N}_]*$/u;
const memberBefore = /([\p{L}_][\p{L}\p{N}_]*(?:\[[^\]]*\])?)\.[\p{L}\p{N}_]*$/u;
const word = /^[\p{L}\p{N}_]*$/u;

export const proposing = (asking: () => Asking | null, look: () => LookAnswer | null) => async (context: CompletionContext): Promise<CompletionResult | null> => {
  const begun = context.matchBefore(wordBefore)?.text ?? '';
  const from = context.pos - begun.length;
  const owner = memberBefore.exec(context.state.sliceDoc(0, context.pos))?.[1];
  if (owner !== undefined) {
    const options = membersOf(look(), owner).map((label) => ({ label, type: 'member', detail: `of ${owner}` }));
    return options.length ? { from, options, validFor: word } : null;
  }
  if (!context.explicit && (begun === '' || /^[0-9]/.test(begun))) return null;
  const request = asking();
  if (!request) return null;
  try {
    const { proposals } = await call('complete', request);
    if (context.aborted) return null;
    return { from, options: proposals.map((proposal, index) => ({ label: proposal.text, detail: proposal.detail || proposal.kind, type: proposal.kind, boost: -index / 1000 })), validFor: word };
  } catch {
    return null; // the text is just changing: nobody needs a sentence about proposals
  }
};
