// SPDX-License-Identifier: BSD-3-Clause
// The folder and the open document: their part of the store.
import { call, sentenceOf, showAddress } from '../api';
import type { Document } from '../protocol';
import type { Part, StudioState } from '../store';
import { textExtensions } from '../text/extensions';
import { useSession } from './current';
import { carryOut, moveOperation } from './edit';
import { Looker } from './look';
import { Session } from './session';

type Set = Parameters<Part>[0];
type Get = Parameters<Part>[1];

const nothingOpen = {
  path: null, version: 0, isDirty: false, isReadOnly: false, look: null, isLookCurrent: false, level: '', mode: '',
} satisfies Partial<StudioState>;

export const documentPart: Part = (set, get) => {
  let looker: Looker | null = null;
  let edits: Promise<unknown> = Promise.resolve();
  const session = () => useSession.getState().session;
  const tell = (error: unknown) => get().notify('error', sentenceOf(error));

  const leave = () => {
    looker?.stop();
    looker = null;
    session()?.close();
    useSession.setState({ session: null });
  };
  const enter = (document: Document) => {
    leave();
    const next = new Session(document, textExtensions());
    useSession.setState({ session: next });
    set({ ...nothingOpen, path: document.path, version: document.version, isDirty: next.isDirty, isReadOnly: document.isReadOnly, selection: { symbols: [], bonds: [] } });
    looker = new Looker(next, lookerHooks(set, get));
    next.listen(sessionListener(next, set, get));
    showAddress(document.path);
    void looker.look();
  };

  return {
    folder: null,
    ...nothingOpen,

    openFolder: async () => {
      try {
        set({ folder: await call('folder', {}) });
      } catch (error) {
        tell(error);
      }
    },
    openDocument: async (path) => {
      try {
        enter(await call('open', { path }));
      } catch (error) {
        tell(error);
        showAddress(get().path ?? '');
      }
    },
    newDocument: async (path, text) => {
      try {
        enter(await call('new', { path, text }));
      } catch (error) {
        tell(error);
      }
    },
    closeDocument: async () => {
      const last = session();
      try {
        await last?.flush();
      } catch (error) {
        tell(error); // what was typed is not with the server yet: stay
        return;
      }
      leave();
      set(nothingOpen);
      showAddress('');
      await get().openFolder();
    },
    save: async (force) => {
      const open = session();
      if (!open || open.isReadOnly) return;
      try {
        await open.flush();
        const text = open.state.doc;
        const answer = await call('save', { path: open.path, version: open.version, force });
        if (answer.saved) {
          open.markSaved(text);
          set({ isDirty: open.isDirty });
          return;
        }
        get().notify('warning', `Another program has changed ${open.path}.`, { title: 'Overwrite', run: () => void get().save(true) });
      } catch (error) {
        tell(error);
      }
    },
    edit: (operations) => {
      const open = session();
      if (!open) return Promise.resolve({ reason: 'No model is open.', names: [] });
      // places come from the look that is shown, which may be older than the text
      const from = looker;
      const placed = operations.map((operation) => moveOperation(operation, { at: (at, side) => from?.place(at, side) ?? at }));
      const tracker = open.track();
      const result = edits.then(async () => {
        try {
          const moved = placed.map((operation) => moveOperation(operation, tracker));
          return await carryOut(open, moved);
        } catch (error) {
          return { reason: sentenceOf(error), names: [] };
        } finally {
          tracker.stop();
        }
      });
      edits = result;
      return result;
    },
    copy: async (where, names) => {
      const open = session();
      if (!open) return { statements: '', reason: 'No model is open.' };
      try {
        await open.flush();
        return await call('copy', { path: open.path, version: open.version, where, names });
      } catch (error) {
        return { statements: '', reason: sentenceOf(error) };
      }
    },
    undo: () => session()?.undo(),
    redo: () => session()?.redo(),
    setLevel: (level) => {
      set({ level, selection: { symbols: [], bonds: [] } });
      void looker?.look();
    },
    setMode: (mode) => {
      set({ mode });
      void looker?.look();
    },
  };
};

const lookerHooks = (set: Set, get: Get) => ({
  wish: () => ({ level: get().level, mode: get().mode }),
  onLook: (look: StudioState['look'], isCurrent: boolean) => {
    set({ look, isLookCurrent: isCurrent });
    // the level was taken away, or has another name now
    if (look && look.diagram === null && get().level !== '') get().setLevel('');
  },
  onStale: () => {
    if (get().isLookCurrent) set({ isLookCurrent: false });
  },
  onFailure: (error: unknown) => get().notify('error', sentenceOf(error)),
});

const sessionListener = (session: Session, set: Set, get: Get) => ({
  onText: () => {
    if (get().isDirty !== session.isDirty) set({ isDirty: session.isDirty });
    if (get().version !== session.version) set({ version: session.version });
  },
});
