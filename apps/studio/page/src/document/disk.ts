// SPDX-License-Identifier: BSD-3-Clause
// A file that another program has changed while there are changes here: who wins is asked, nothing is overwritten silently.
import { create } from 'zustand';
import { call, sentenceOf } from '../api';
import { useStudio } from '../parts';
import { currentSession } from './current';
import type { Session } from './session';

export type Conflict = {
  path: string;
  disk: string | null; // the text that lies there; null while it was not asked for
  isCompared: boolean; // both are shown side by side
};
type Conflicts = {
  conflict: Conflict | null;
  raise: (path: string, disk: string | null) => void;
  keepMine: () => Promise<void>;
  takeDisk: () => Promise<void>;
  compare: () => Promise<void>;
  stopComparing: () => void;
};

export const useConflict = create<Conflicts>()((set, get) => ({
  conflict: null,
  raise: (path, disk) => set({ conflict: { path, disk, isCompared: false } }),
  keepMine: async () => {
    await useStudio.getState().save(true);
  },
  takeDisk: async () => {
    const session = currentSession();
    const { conflict } = get();
    if (!session || !conflict) return;
    try {
      const disk = await textOfDisk(session, conflict);
      // first as an edit of this page, so that undo brings back what was here; then there is nothing left to be taken
      if (disk !== null) session.become(disk);
      await session.flush();
      await call('revert', { path: session.path, version: session.version });
      session.markSaved(disk === null ? session.saved : session.state.doc);
      useStudio.setState({ isDirty: session.isDirty });
      session.resume();
      set({ conflict: null });
    } catch (error) {
      useStudio.getState().notify('error', sentenceOf(error));
    }
  },
  compare: async () => {
    const { conflict } = get();
    const session = currentSession();
    if (!conflict || !session) return;
    try {
      const disk = await textOfDisk(session, conflict);
      if (disk !== null) set({ conflict: { ...conflict, disk, isCompared: true } });
      else set({ conflict: null });
    } catch (error) {
      useStudio.getState().notify('error', sentenceOf(error));
    }
  },
  stopComparing: () => set(({ conflict }) => ({ conflict: conflict && { ...conflict, isCompared: false } })),
}));

// What lies in the file. Saving without force changes nothing when another program has changed it, and tells its text. null: it was saved after all.
async function textOfDisk(session: Session, conflict: Conflict): Promise<string | null> {
  if (conflict.disk !== null) return conflict.disk;
  await session.flush();
  const answer = await call('save', { path: session.path, version: session.version });
  if (answer.saved) {
    session.markSaved(session.state.doc);
    useStudio.setState({ isDirty: session.isDirty });
  }
  return answer.disk ?? null;
}
