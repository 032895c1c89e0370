// SPDX-License-Identifier: BSD-3-Clause
// Which of the folder's models have all words in their name, path or description.
import type { FolderEntry } from '../protocol';

export function matching(models: readonly FolderEntry[], words: string): FolderEntry[] {
  const wanted = fold(words).split(/\s+/).filter(Boolean);
  return models.filter((model) => {
    const text = fold(`${model.name} ${model.path} ${model.description}`);
    return wanted.every((word) => text.includes(word));
  });
}
// Without case and accents: "Θ" stays, "é" is found by "e".
export const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
