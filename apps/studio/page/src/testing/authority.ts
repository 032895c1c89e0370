// SPDX-License-Identifier: BSD-3-Clause
// For tests only: a server of one document in memory, behind fetch(). It orders updates as the real one does, and can be slow, gone, or started anew.
import { ChangeSet, Text } from '@codemirror/state';
import { vi } from 'vitest';
import type { EditAnswer, LookAnswer, Update } from '../protocol';

type Answer = { status?: number; body: unknown };
export type Authority = ReturnType<typeof authority>;

export function authority(text: string, path = 'a.hbg') {
  const state = {
    doc: Text.of(text.split('\n')),
    version: 0,
    updates: [] as Update[],
    disk: text,
    isGone: false,
    asked: [] as { name: string; request: Record<string, unknown> }[],
    before: null as ((name: string) => Promise<void> | void) | null, // before a request is answered
    edit: (): EditAnswer => ({ edits: [], reason: '', names: [] }),
    look: (): Partial<LookAnswer> => ({}),
    onUpdate: (_: { version: number; updates: Update[] }) => undefined as void,
  };
  const apply = (updates: Update[]) => {
    for (const update of updates) {
      state.doc = ChangeSet.fromJSON(update.changes).apply(state.doc);
      state.updates.push(update);
      state.version += 1;
    }
    if (updates.length > 0) state.onUpdate({ version: state.version, updates });
  };
  const answer = (name: string, request: Record<string, unknown>): Answer => {
    const wrongVersion = { status: 409, body: { error: 'The document has another version.' } };
    switch (name) {
      case 'open':
        return { body: { path, text: state.doc.toString(), version: state.version, isDirty: state.doc.toString() !== state.disk, isReadOnly: false, hash: '' } };
      case 'update': {
        const version = request.version as number;
        const updates = request.updates as Update[];
        if (version > state.version) return wrongVersion;
        if (version < state.version) return { body: { accepted: false, version: state.version, updates: state.updates.slice(version) } };
        apply(updates);
        return { body: { accepted: true, version: state.version, updates: [] } };
      }
      case 'edit':
        return request.version === state.version ? { body: state.edit() } : wrongVersion;
      case 'look':
        return request.version === state.version ? { body: { version: state.version, name: 'A', problems: [], diagram: null, ...state.look() } } : wrongVersion;
      case 'save':
        if (request.version !== state.version) return wrongVersion;
        state.disk = state.doc.toString();
        return { body: { saved: true, hash: 'x', reason: '' } };
      default:
        return { status: 404, body: { error: `Nothing is called ${name}.` } };
    }
  };
  vi.stubGlobal('fetch', async (address: string, options: { body: string; signal?: AbortSignal }) => {
    const name = address.replace(/^\/api\//, '');
    const request = JSON.parse(options.body) as Record<string, unknown>;
    state.asked.push({ name, request });
    await state.before?.(name);
    await Promise.resolve();
    if (options.signal?.aborted) throw new DOMException('given up', 'AbortError');
    if (state.isGone) throw new TypeError('Failed to fetch');
    const { status = 200, body } = answer(name, request);
    return new Response(JSON.stringify(body), { status });
  });
  return Object.assign(state, {
    // Another page writes.
    write: (from: number, to: number, insert: string) =>
      apply([{ client: 'other', changes: ChangeSet.of({ from, to, insert }, state.doc.length).toJSON() as unknown }]),
    readDisk: (to: string) => {
      const changes = ChangeSet.of({ from: 0, to: state.doc.length, insert: to }, state.doc.length).toJSON() as unknown;
      state.disk = to;
      apply([{ client: 'disk', changes }]);
    },
    text: () => state.doc.toString(),
  });
}

export const opened = (server: Authority, isDirty = false) => ({
  path: 'a.hbg', text: server.text(), version: server.version, isDirty, isReadOnly: false, hash: '',
});
