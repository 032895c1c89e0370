// SPDX-License-Identifier: BSD-3-Clause
// Looks at the text after each change: waits until typing rests for a moment, asks, and throws away what was overtaken.
import { RequestFailed, call, isAbort } from '../api';
import type { LookAnswer } from '../protocol';
import type { Session, Tracker } from './session';

export type Wish = { level: string; mode: string };
export type LookerHooks = {
  wish: () => Wish; // what is to be shown
  onLook: (look: LookAnswer, isCurrent: boolean) => void;
  onStale: () => void; // the text differs from that of the last look
  onFailure: (error: unknown) => void;
};
const pause = 80; // [ms]
const longest = 400; // [ms] of typing without a pause after which it looks all the same

export class Looker {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waitsSince = 0;
  private asked: AbortController | null = null;
  private since: Tracker | null = null; // the changes since the text of the last look
  private stopListening: () => void;

  constructor(
    private readonly session: Session,
    private readonly hooks: LookerHooks,
  ) {
    this.stopListening = session.listen({
      onText: () => {
        hooks.onStale();
        this.soon();
      },
    });
  }
  // A place of the last look's text in the text as it is now.
  place(at: number, side?: number): number {
    return this.since ? this.since.at(at, side) : at;
  }
  soon(wait = pause) {
    const now = Date.now();
    this.waitsSince ||= now;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), Math.max(0, Math.min(wait, this.waitsSince + longest - now)));
  }
  // Looks at once; the promise is kept when there is an answer, or it was overtaken.
  async look(): Promise<void> {
    clearTimeout(this.timer);
    this.waitsSince = 0;
    this.asked?.abort();
    const asked = new AbortController();
    this.asked = asked;
    let tracker: Tracker | null = null;
    try {
      await this.session.flush();
      if (asked.signal.aborted) return;
      tracker = this.session.track();
      const answer = await call('look', { path: this.session.path, version: this.session.version, ...this.hooks.wish() }, asked.signal);
      if (asked.signal.aborted) return;
      this.since?.stop();
      this.since = tracker;
      tracker = null;
      this.hooks.onLook(answer, this.since.change.empty);
    } catch (error) {
      if (isAbort(error) || asked.signal.aborted) return;
      if (error instanceof RequestFailed && error.status === 409) this.soon(); // others have typed: their update is on its way
      else this.hooks.onFailure(error);
    } finally {
      tracker?.stop();
    }
  }
  stop() {
    clearTimeout(this.timer);
    this.asked?.abort();
    this.since?.stop();
    this.stopListening();
  }
}
