// SPDX-License-Identifier: BSD-3-Clause
// Drawings for the cards, asked for a few at a time and kept until their file changes.
import { callBlob } from '../api';
import type { FolderEntry } from '../protocol';

const kept = new Map<string, { modified: number; address: Promise<string> }>();
const most = 3; // at once
let busy = 0;
const waiting: (() => void)[] = [];

export function thumbnail(model: Pick<FolderEntry, 'path' | 'modified'>): Promise<string> {
  const known = kept.get(model.path);
  if (known?.modified === model.modified) return known.address;
  if (known) void known.address.then(URL.revokeObjectURL, () => undefined);
  const address = inTurn(async () => URL.createObjectURL(await callBlob('thumbnail', { path: model.path })));
  kept.set(model.path, { modified: model.modified, address });
  return address;
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (busy >= most) await new Promise<void>((resolve) => waiting.push(resolve));
  busy += 1;
  try {
    return await work();
  } finally {
    busy -= 1;
    waiting.shift()?.();
  }
}
