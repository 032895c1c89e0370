// SPDX-License-Identifier: BSD-3-Clause
// The folder and the open document: their part of the store.
import { RequestFailed, call, sentenceOf, showAddress } from '../api';
import type { Document, EditOperation, LookAnswer } from '../protocol';
import { useLayout } from '../shell/layout';
import type { Part, StudioState } from '../store';
import { textExtensions } from '../text/extensions';
import { atCaret } from '../text/following';
import type { TextHost } from '../text/host';
import { showProblems } from '../text/problems';
import { currentSession, useSession } from './current';
import { useConflict } from './disk';
import { carryOut, moveOperation } from './edit';
import type { EditResult } from './edit';
import { Looker } from './look';
import { rememberOpened } from './recent';
import { Session } from './session';

type Set = Parameters<Part>[0];
type Get = Parameters<Part>[1];

const nothingOpen = {
  path: null, version: 0, isDirty: false, isReadOnly: false, look: null, isLookCurrent: false, level: '', mode: '',
} satisfies Partial<StudioState>;
const nothingSelected = { symbols: [], bonds: [] };

export const documentPart: Part = (set, get) => {
  let looker: Looker | null = null;
  let edits: Promise<unknown> = Promise.resolve();
  const tell = (error: unknown) => get().notify('error', sentenceOf(error));

  const leave = () => {
    looker?.stop();
    looker = null;
    currentSession()?.close();
    useConflict.setState({ conflict: null });
    useSession.setState({ session: null, host: null });
  };
  const enter = (document: Document) => {
    leave();
    const host = textHost();
    const session = new Session(document, textExtensions(host));
    looker = new Looker(session, lookerHooks(session));
    session.listen(sessionListener(session, set, get));
    set({ ...nothingOpen, path: document.path, version: document.version, isDirty: session.isDirty, isReadOnly: document.isReadOnly, selection: nothingSelected });
    useSession.setState({ session, host });
    showAddress(document.path);
    void looker.look();
  };

  // One after the other, since each needs the text that the one before has left. Places are those of the text as it is now.
  const edit = (operations: EditOperation[]): Promise<EditResult> => {
    const session = currentSession();
    if (!session) return Promise.resolve({ reason: 'No model is open.', names: [] });
    const tracker = session.track();
    const result = edits.then(async () => {
      try {
        return await carryOut(session, operations.map((operation) => moveOperation(operation, tracker)));
      } catch (error) {
        return { reason: sentenceOf(error), names: [] };
      } finally {
        tracker.stop();
      }
    });
    edits = result;
    return result;
  };
  const place = (at: number, side?: number) => looker?.place(at, side) ?? at;

  const textHost = (): TextHost => ({
    asking: async (at) => {
      const session = currentSession();
      if (!session) return null;
      const tracker = session.track();
      try {
        await session.flush();
        return { path: session.path, version: session.version, at: tracker.at(at) };
      } catch {
        return null;
      } finally {
        tracker.stop();
      }
    },
    place,
    edit,
    openPlace: (path, from, to) => {
      const show = () => useLayout.getState().showText(from, to);
      if (path === '' || path === get().path) show();
      else void get().openDocument(path).then(() => get().path === path && show());
    },
    pick: (at) => {
      const diagram = get().look?.diagram;
      const session = currentSession();
      const selection = diagram && session ? atCaret(diagram, session.state.doc, at, place) : null;
      if (selection) get().select(selection);
    },
    save: () => void get().save(),
    warn: (sentence) => get().notify('warning', sentence),
  });

  const lookerHooks = (session: Session) => ({
    wish: () => ({ level: get().level, mode: get().mode }),
    onLook: (look: LookAnswer, isCurrent: boolean) => {
      set({ look, isLookCurrent: isCurrent, version: session.version });
      session.dispatch(showProblems(session.state, look.problems, place));
      // the level was taken away, or has another name now
      if (look.diagram === null && get().level !== '') get().setLevel('');
    },
    onStale: () => {
      if (get().isLookCurrent) set({ isLookCurrent: false });
    },
    onFailure: (error: unknown) => {
      // a mode of another text: back to the initial one
      if (error instanceof RequestFailed && error.status === 400 && get().mode !== '') get().setMode('');
      else if (!(error instanceof RequestFailed && error.status === 0)) tell(error);
    },
  });

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
        rememberOpened(path);
      } catch (error) {
        tell(error);
        showAddress(get().path ?? '');
      }
    },
    newDocument: async (path, text) => {
      try {
        enter(await call('new', { path, text }));
        rememberOpened(path);
      } catch (error) {
        tell(error);
      }
    },
    closeDocument: async () => {
      try {
        await currentSession()?.flush();
      } catch (error) {
        tell(error); // what was typed has not reached the server yet: stay
        return;
      }
      leave();
      set({ ...nothingOpen, selection: nothingSelected });
      showAddress('');
      await get().openFolder();
    },
    save: async (force) => {
      const session = currentSession();
      if (!session) return;
      if (session.isReadOnly) return get().notify('warning', 'This model is read only. Save a copy of it in a folder of yours: the menu of exports has it.');
      try {
        await session.flush();
        const text = session.state.doc;
        const answer = await call('save', { path: session.path, version: session.version, force });
        if (answer.saved) {
          session.markSaved(text);
          useConflict.setState({ conflict: null });
          set({ isDirty: session.isDirty });
        } else useConflict.getState().raise(session.path, answer.disk ?? null);
      } catch (error) {
        tell(error);
      }
    },
    edit: (operations) => edit(operations.map((operation) => moveOperation(operation, { at: place }))),
    copy: async (where, names) => {
      const session = currentSession();
      if (!session) return { statements: '', reason: 'No model is open.' };
      try {
        await session.flush();
        return await call('copy', { path: session.path, version: session.version, where, names });
      } catch (error) {
        return { statements: '', reason: sentenceOf(error) };
      }
    },
    undo: () => currentSession()?.undo(),
    redo: () => currentSession()?.redo(),
    setLevel: (level) => {
      set({ level, selection: nothingSelected });
      void looker?.look();
    },
    setMode: (mode) => {
      set({ mode });
      void looker?.look();
    },
  };
};

const sessionListener = (session: Session, set: Set, get: Get) => ({
  onText: () => {
    if (get().isDirty !== session.isDirty) set({ isDirty: session.isDirty });
  },
  onLink: (isThere: boolean) => {
    useSession.setState({ isThere });
    if (isThere) get().notify('info', 'The server is back; what was changed meanwhile is with it now.');
  },
  onRefused: (error: RequestFailed) => get().notify('error', error.message),
});
