// SPDX-License-Identifier: BSD-3-Clause
// What all areas use: notices, what is selected, which level and mode are shown.
import { currentPlace } from '../document/current';
import type { Part } from '../store';
import { useLayout } from './layout';

let lastNotice = 0;
const timeToRead = { error: 0, warning: 0, info: 6000 }; // [ms]; 0: stays until it is dismissed

export const shellPart: Part = (set, get) => ({
  level: '',
  mode: '',
  selection: { symbols: [], bonds: [] },
  clipboard: '',
  notices: [],

  setLevel: (level) => set({ level, selection: { symbols: [], bonds: [] } }),
  setMode: (mode) => set({ mode }),
  select: (selection) => set({ selection }),
  notify: (kind, text, action) => {
    const id = ++lastNotice;
    // the same words again replace those before
    set((state) => ({ notices: [...state.notices.filter((notice) => notice.text !== text), { id, kind, text, action }].slice(-5) }));
    if (timeToRead[kind] && !action) setTimeout(() => get().dismiss(id), timeToRead[kind]);
  },
  dismiss: (id) => set((state) => ({ notices: state.notices.filter((notice) => notice.id !== id) })),
  showText: (from, to) => useLayout.getState().showText(currentPlace(from), currentPlace(to, -1)),
});
