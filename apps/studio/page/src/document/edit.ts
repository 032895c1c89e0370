// SPDX-License-Identifier: BSD-3-Clause
// Carries out operations of drawing: the server says what has to change in the text, the page changes it, as one step of undo.
import { RequestFailed, call } from '../api';
import type { EditOperation } from '../protocol';
import type { Session, Tracker } from './session';

export type EditResult = { reason: string; names: string[] };
const attempts = 6;

// Operations name places of the text as it is now. When the text changes before they are carried out, their places move along and they are asked for again.
export async function carryOut(session: Session, operations: EditOperation[]): Promise<EditResult> {
  if (session.isReadOnly) return { reason: 'This model is read only. Save a copy of it, and draw there.', names: [] };
  const tracker = session.track();
  try {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      await session.flush();
      const text = session.state.doc;
      const moved = operations.map((operation) => moveOperation(operation, tracker));
      try {
        const answer = await call('edit', { path: session.path, version: session.version, operations: moved });
        if (answer.reason) return { reason: answer.reason, names: [] };
        if (!session.state.doc.eq(text)) continue;
        session.applyEdits(answer.edits);
        return { reason: '', names: answer.names };
      } catch (error) {
        if (!(error instanceof RequestFailed) || error.status !== 409) throw error;
        session.resume();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    return { reason: 'The text is being changed all the time, by another page for example; try again in a moment.', names: [] };
  } finally {
    tracker.stop();
  }
}

export function moveOperation(operation: EditOperation, tracker: Pick<Tracker, 'at'>): EditOperation {
  switch (operation.op) {
    case 'reverse':
      return { ...operation, from: tracker.at(operation.from), to: tracker.at(operation.to, -1) };
    case 'rename':
      return { ...operation, at: tracker.at(operation.at) };
    case 'remove':
      return { ...operation, arrows: operation.arrows.map((arrow) => ({ from: tracker.at(arrow.from), to: tracker.at(arrow.to, -1) })) };
    default:
      return operation;
  }
}
