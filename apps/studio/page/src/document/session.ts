// SPDX-License-Identifier: BSD-3-Clause
// One open document: the text as CodeMirror's state, which is the one truth of the page, shown or not, and its conversation with the server,
// which orders the updates of all pages (operational transformation by @codemirror/collab: the server is the authority).
import { collab, getSyncedVersion, receiveUpdates, sendableUpdates } from '@codemirror/collab';
import { history, isolateHistory, redo, undo } from '@codemirror/commands';
import { ChangeSet, EditorState, Text, Transaction } from '@codemirror/state';
import type { ChangeDesc, ChangeSpec, Extension, StateEffect, TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { RequestFailed, call } from '../api';
import type { Document, Edit, Update } from '../protocol';

export type SessionListener = {
  onText?: (change: ChangeDesc, transaction: Transaction) => void; // the text has changed, by whomever
  onSelection?: () => void;
  onLink?: (isThere: boolean) => void; // the server stopped to answer, or answers again
  onRefused?: (error: RequestFailed) => void; // an update was refused for good
};

const ofDisk = 'disk'; // the client by which the server calls what it has read from the file

export class Session {
  readonly path: string;
  readonly isReadOnly: boolean;
  state: EditorState;
  saved: Text | null; // what lies in the file; null when that is not known
  private view: EditorView | null = null;
  private listeners = new Set<SessionListener>();
  private sending: Promise<void> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isThere = true;
  private isClosed = false;
  private trackers = new Set<Tracker>();
  private readonly extensions: Extension;
  private readonly client: string;

  constructor(document: Document, extensions: Extension = [], client?: string) {
    this.path = document.path;
    this.isReadOnly = document.isReadOnly;
    this.extensions = [
      EditorState.lineSeparator.of('\n'), // the text keeps its ends of lines: places count them
      history(),
      EditorState.readOnly.of(document.isReadOnly),
      extensions,
    ];
    const text = textOf(document.text);
    this.saved = document.isDirty ? null : text;
    this.client = client ?? `page-${Math.random().toString(36).slice(2)}`;
    this.state = this.fresh(text, document.version);
  }
  private fresh(doc: Text, version: number): EditorState {
    return EditorState.create({ doc, extensions: [collab({ startVersion: version, clientID: this.client }), this.extensions] });
  }

  // ---- the text ----

  get version(): number {
    return getSyncedVersion(this.state);
  }
  get isDirty(): boolean {
    return this.saved === null || !this.saved.eq(this.state.doc);
  }
  get hasUnsent(): boolean {
    return sendableUpdates(this.state).length > 0;
  }
  dispatch(...specs: TransactionSpec[]) {
    this.apply([this.state.update(...specs)]);
  }
  // What the text pane does comes here, too.
  apply(transactions: readonly Transaction[]) {
    const last = transactions[transactions.length - 1];
    if (!last) return;
    this.state = last.state;
    this.view?.update(transactions);
    let isMoved = false;
    for (const transaction of transactions) {
      if (transaction.docChanged) this.tell(transaction);
      isMoved ||= transaction.docChanged || transaction.selection !== undefined;
    }
    if (isMoved) for (const listener of this.listeners) listener.onSelection?.();
    if (this.hasUnsent) this.send();
  }
  private tell(transaction: Transaction) {
    for (const tracker of this.trackers) tracker.change = tracker.change.composeDesc(transaction.changes.desc);
    for (const listener of this.listeners) listener.onText?.(transaction.changes.desc, transaction);
  }
  attach(view: EditorView | null) {
    this.view = view;
  }
  effect(effect: StateEffect<unknown>) {
    this.dispatch({ effects: effect });
  }
  listen(listener: SessionListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  // Follows the changes from now on: maps places of today's text into the text as it will be.
  track(): Tracker {
    const tracker: Tracker = {
      change: ChangeSet.empty(this.state.doc.length).desc,
      at: (place, side = 1) => tracker.change.mapPos(Math.min(Math.max(place, 0), tracker.change.length), side),
      stop: () => this.trackers.delete(tracker),
    };
    this.trackers.add(tracker);
    return tracker;
  }
  undo() {
    undo({ state: this.state, dispatch: (transaction) => this.apply([transaction]) });
  }
  redo() {
    redo({ state: this.state, dispatch: (transaction) => this.apply([transaction]) });
  }
  // Edits of the present text, as one step of undo.
  applyEdits(edits: readonly Edit[], userEvent = 'input.draw') {
    if (edits.length === 0) return;
    const changes: ChangeSpec[] = edits.map(({ from, to, insert }) => ({ from, to, insert: textOf(insert) }));
    this.dispatch({ changes, annotations: isolateHistory.of('full'), userEvent });
  }
  // Another text in place of this one, as one step of undo.
  become(text: string) {
    const change = difference(this.state.doc, textOf(text));
    if (change) this.dispatch({ changes: change, annotations: isolateHistory.of('full'), userEvent: 'input.disk' });
  }
  markSaved(text: Text | null) {
    this.saved = text;
  }

  // ---- the server ----

  // All that was typed here has reached the server when the promise is kept; it is broken when the server is away.
  async flush(): Promise<void> {
    while (this.hasUnsent && !this.isClosed) {
      await this.send();
      if (!this.isThere) throw new RequestFailed(0, 'The server does not answer.', 'What you change is kept, and sent when it is back.');
    }
  }
  private send(): Promise<void> {
    this.sending ??= this.sendNow().finally(() => {
      this.sending = null;
      if (this.hasUnsent && this.isThere && !this.isClosed) void this.send();
    });
    return this.sending;
  }
  private async sendNow(): Promise<void> {
    await Promise.resolve(); // what is dispatched in one go is sent in one go
    const updates = sendableUpdates(this.state);
    const version = this.version;
    const sent: Update[] = updates.map(({ clientID, changes }) => ({ client: clientID, changes: changes.toJSON() as unknown }));
    try {
      const answer = await call('update', { path: this.path, version, updates: sent });
      if (this.isClosed) return;
      this.setLink(true);
      this.take(version, answer.accepted ? sent : answer.updates);
      if (!answer.accepted && this.version === version) await this.reopen(); // it knows no way from there
    } catch (error) {
      await this.failed(error);
    }
  }
  private async failed(error: unknown): Promise<void> {
    if (this.isClosed) return;
    if (error instanceof RequestFailed && error.status === 409) return this.reopen();
    if (error instanceof RequestFailed && error.status !== 0 && error.status !== 429) {
      this.setLink(false);
      for (const listener of this.listeners) listener.onRefused?.(error);
      return;
    }
    this.setLink(false);
    this.retryLater();
  }
  private retryLater() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.send(), 1000);
  }
  private setLink(isThere: boolean) {
    if (this.isThere === isThere) return;
    this.isThere = isThere;
    for (const listener of this.listeners) listener.onLink?.(isThere);
  }
  // Updates that follow `version`. Those that are here already are left out; when some are missing in between, they are asked for.
  take(version: number, updates: readonly Update[]) {
    const behind = this.version - version;
    if (behind < 0) {
      void this.send();
      return;
    }
    if (behind >= updates.length) return;
    const fresh = updates.slice(behind).map((update) => ({ clientID: update.client, changes: ChangeSet.fromJSON(update.changes) }));
    const transaction = receiveUpdates(this.state, fresh);
    // before it is told: whoever hears of the new text asks whether it is saved
    if (updates[updates.length - 1]?.client === ofDisk) this.saved = sendableUpdates(transaction.state).length === 0 ? transaction.newDoc : null;
    this.apply([transaction]);
  }
  // What the server told by itself: `version` is that behind the updates.
  hear(version: number, updates: readonly Update[]) {
    if (this.isClosed) return;
    const begin = version - updates.length;
    // while an answer is under way its order is the one that counts: it, or the next update, brings these
    if (this.sending) void this.sending.then(() => this.take(begin, updates));
    else this.take(begin, updates);
  }
  // The server may be away: asks at once, so that it is told.
  probe() {
    if (!this.isClosed && !this.isReadOnly) void this.send();
  }
  // The server is back: asks for what happened meanwhile, and sends what was typed.
  resume() {
    if (!this.isClosed) void this.send();
  }
  // The server counts other versions than this page: it was started anew from its draft. What stands here is kept, as one change of what stands there.
  private async reopen(): Promise<void> {
    const document = await call('open', { path: this.path }).catch(() => null);
    if (this.isClosed) return;
    if (!document) {
      this.setLink(false);
      this.retryLater();
      return;
    }
    const mine = this.state.doc;
    const theirs = textOf(document.text);
    const change = difference(theirs, mine);
    const selection = this.state.selection;
    this.state = this.fresh(theirs, document.version);
    if (change) this.state = this.state.update({ changes: change, selection }).state;
    this.view?.setState(this.state);
    this.setLink(true);
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.listeners.clear();
    this.trackers.clear();
  }
}

export type Tracker = { change: ChangeDesc; at: (place: number, side?: number) => number; stop: () => void };

const textOf = (text: string): Text => Text.of(text.split(/\r?\n/));

// The shortest single change that makes `to` of `from`; null when they are the same.
export function difference(from: Text, to: Text): { from: number; to: number; insert: Text } | null {
  if (from.eq(to)) return null;
  const a = from.toString();
  const b = to.toString();
  const most = Math.min(a.length, b.length);
  let begin = 0;
  while (begin < most && a[begin] === b[begin]) begin += 1;
  let end = 0;
  while (end < most - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return { from: begin, to: a.length - end, insert: to.slice(begin, b.length - end) };
}
