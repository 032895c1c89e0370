// SPDX-License-Identifier: BSD-3-Clause
// A file that another program has changed while there are changes here: who wins is asked, nothing is overwritten silently.
import { create } from 'zustand';
import { call, sentenceOf } from '../api';
import { useStudio } from '../parts';
import { currentSession } from './current';

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
    if (!session) return;
    try {
      await session.flush();
      await call('revert', { path: session.path, version: session.version });
      session.resume(); // the update of it is told, too; this is sooner
      set({ conflict: null });
    } catch (error) {
      useStudio.getState().notify('error', sentenceOf(error));
    }
  },
  compare: async () => {
    const { conflict } = get();
    const session = currentSession();
    if (!conflict || !session) return;
    let disk = conflict.disk;
    try {
      await session.flush();
      // saving without force changes nothing when the file was changed, and tells what lies there
      disk ??= (await call('save', { path: session.path, version: session.version })).disk ?? null;
    } catch (error) {
      useStudio.getState().notify('error', sentenceOf(error));
    }
    if (disk !== null) set({ conflict: { ...conflict, disk, isCompared: true } });
  },
  stopComparing: () => set(({ conflict }) => ({ conflict: conflict && { ...conflict, isCompared: false } })),
}));
