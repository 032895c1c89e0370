// SPDX-License-Identifier: BSD-3-Clause
// What the text editor needs of the page round it.
import type { EditResult } from '../document/edit';
import type { AtRequest, EditOperation } from '../protocol';

export type TextHost = {
  // The request for what stands at a place of the text as it is, when the server has that text; null when it is away.
  asking: (at: number) => Promise<AtRequest | null>;
  place: (at: number, side?: number) => number; // of the text that was looked at last, in the text as it is
  edit: (operations: EditOperation[]) => Promise<EditResult>; // places are those of the text as it is
  openPlace: (path: string, from: number, to: number) => void; // of this or another text
  pick: (at: number) => void; // the caret was put there by the user
  save: () => void;
  warn: (sentence: string) => void;
};
