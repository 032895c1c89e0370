// SPDX-License-Identifier: BSD-3-Clause
// The document that is open, for what works upon its text itself: the text pane, searching, exporting.
import { create } from 'zustand';
import type { Session } from './session';

export const useSession = create<{ session: Session | null }>()(() => ({ session: null }));
export const currentSession = (): Session | null => useSession.getState().session;
