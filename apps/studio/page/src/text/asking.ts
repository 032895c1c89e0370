// SPDX-License-Identifier: BSD-3-Clause
// What the server knows about a place of the text: what could stand there, what stands there, where it is declared.
import { autocompletion } from '@codemirror/autocomplete';
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { EditorView, hoverTooltip } from '@codemirror/view';
import type { Tooltip } from '@codemirror/view';
import { call } from '../api';
import type { TextHost } from './host';
import { renderMarkdown } from './markdown';

const wordBefore = /[\p{L}\p{N}_]*$/u;
const word = /^[\p{L}\p{N}_]*$/u;

export const asking = (host: TextHost): Extension => [
  autocompletion({ override: [(context) => complete(host, context)], icons: false, maxRenderedOptions: 60 }),
  hoverTooltip((_, at) => hover(host, at), { hoverTime: 350 }),
  EditorView.domEventHandlers({
    mousedown: (event, view) => {
      if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
      if (at === null) return false;
      event.preventDefault();
      void goToDefinition(host, at);
      return true;
    },
  }),
];

async function complete(host: TextHost, context: CompletionContext): Promise<CompletionResult | null> {
  const before = context.matchBefore(wordBefore);
  const begun = before?.text ?? '';
  const last = context.state.sliceDoc(Math.max(0, context.pos - begun.length - 1), context.pos - begun.length);
  if (!context.explicit && begun === '' && last !== '.') return null;
  if (!context.explicit && /^[0-9]/.test(begun)) return null;
  const request = await host.asking(context.pos);
  if (!request || context.aborted) return null;
  try {
    const { proposals } = await call('complete', request);
    return {
      from: context.pos - begun.length,
      options: proposals.map((proposal, index) => ({ label: proposal.text, detail: proposal.detail || proposal.kind, type: proposal.kind, boost: -index / 1000 })),
      validFor: word,
    };
  } catch {
    return null; // nobody needs a sentence about proposals
  }
}

async function hover(host: TextHost, at: number): Promise<Tooltip | null> {
  const request = await host.asking(at);
  if (!request) return null;
  try {
    const answer = await call('hover', request);
    if (!answer.markdown) return null;
    return {
      pos: answer.from,
      end: answer.to,
      above: true,
      create: () => ({ dom: renderMarkdown(answer.markdown) }),
    };
  } catch {
    return null;
  }
}

export async function goToDefinition(host: TextHost, at: number): Promise<void> {
  const request = await host.asking(at);
  if (!request) return;
  try {
    const { places } = await call('definition', request);
    const place = places[0];
    if (place) host.openPlace(place.path, place.from, place.to);
    else host.warn('Nothing is declared by that name.');
  } catch {
    host.warn('Where that is declared cannot be asked just now.');
  }
}
