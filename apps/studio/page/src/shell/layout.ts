// SPDX-License-Identifier: BSD-3-Clause
// Which panes are open and how large: remembered from one visit to the next.
import { create } from 'zustand';

export type PaneName = 'palette' | 'text' | 'inspector' | 'look';
type Sizes = Record<PaneName, number>;
type Opened = Record<PaneName, boolean>;
export type Place = { from: number; to: number; asked: number };

type Layout = {
  sizes: Sizes; // [px] widths, of `look` the height
  opened: Opened;
  place: Place | null; // that the text pane was asked to show last
  resize: (pane: PaneName, size: number) => void;
  toggle: (pane: PaneName, isOpen?: boolean) => void;
  showText: (from: number, to: number) => void;
};

const key = 'hybrsim-studio-layout';
export const limits: Record<PaneName, [number, number]> = { palette: [120, 420], text: [220, 1200], inspector: [200, 560], look: [120, 900] };
const usual = (): { sizes: Sizes; opened: Opened } => ({
  sizes: { palette: 176, text: 460, inspector: 272, look: 340 },
  opened: { palette: true, text: false, inspector: true, look: false },
});

export function readLayout(stored: string | null): { sizes: Sizes; opened: Opened } {
  const layout = usual();
  try {
    const was = JSON.parse(stored ?? '{}') as { sizes?: Partial<Sizes>; opened?: Partial<Opened> };
    for (const pane of Object.keys(limits) as PaneName[]) {
      const size = was.sizes?.[pane];
      const isOpen = was.opened?.[pane];
      if (typeof size === 'number' && Number.isFinite(size)) layout.sizes[pane] = within(pane, size);
      if (typeof isOpen === 'boolean') layout.opened[pane] = isOpen;
    }
  } catch {
    // what was remembered cannot be read: the usual layout
  }
  return layout;
}
const within = (pane: PaneName, size: number) => Math.min(Math.max(size, limits[pane][0]), limits[pane][1]);

export const useLayout = create<Layout>()((set, get) => {
  const remember = () => {
    const { sizes, opened } = get();
    try {
      localStorage.setItem(key, JSON.stringify({ sizes, opened }));
    } catch {
      // a browser without storage forgets, nothing else
    }
  };
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(key);
  } catch {
    // as above
  }
  return {
    ...readLayout(stored),
    place: null,
    resize: (pane, size) => {
      set((state) => ({ sizes: { ...state.sizes, [pane]: within(pane, size) } }));
      remember();
    },
    toggle: (pane, isOpen) => {
      set((state) => ({ opened: { ...state.opened, [pane]: isOpen ?? !state.opened[pane] } }));
      remember();
    },
    showText: (from, to) => {
      get().toggle('text', true);
      set((state) => ({ place: { from, to, asked: (state.place?.asked ?? 0) + 1 } }));
    },
  };
});
