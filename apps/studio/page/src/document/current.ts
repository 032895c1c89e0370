// SPDX-License-Identifier: BSD-3-Clause
// The document that is open, for what works upon its text itself: the text pane, searching, exporting.
import { create } from 'zustand';
import type { TextHost } from '../text/host';
import type { Session } from './session';

type Current = {
  session: Session | null;
  host: TextHost | null; // by which the text of `session` is edited
  isThere: boolean; // the server answers
};

export const useSession = create<Current>()(() => ({ session: null, host: null, isThere: true }));
export const currentSession = (): Session | null => useSession.getState().session;
// Where a place of the text that was looked at last is now.
export const currentPlace = (at: number, side?: number): number => useSession.getState().host?.place(at, side) ?? at;
