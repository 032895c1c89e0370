// SPDX-License-Identifier: BSD-3-Clause
// Which of the boxes above the page is open.
import { create } from 'zustand';

export type OverlayName = 'search' | 'help' | 'copy';
export const useOverlay = create<{ shown: OverlayName | null; show: (shown: OverlayName | null) => void }>()((set) => ({ shown: null, show: (shown) => set({ shown }) }));
