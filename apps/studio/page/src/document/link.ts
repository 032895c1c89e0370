// SPDX-License-Identifier: BSD-3-Clause
// Begins to talk with the server, once: the token, the folder, the document of the address, and what the server tells by itself.
import { listen, takeToken } from '../api';
import { useStudio } from '../parts';
import type { ServerEvent } from '../protocol';
import { currentSession } from './current';
import { useConflict } from './disk';
import type { Session } from './session';

export function start(): () => void {
  const address = takeToken();
  const studio = useStudio.getState();
  void studio.openFolder().then(() => {
    const opened = address.open || useStudio.getState().folder?.opened;
    if (opened && useStudio.getState().path === null) void studio.openDocument(opened);
  });
  window.addEventListener('beforeunload', onLeave);
  const stop = listen(onEvent, (isThere) => {
    if (isThere) currentSession()?.resume();
    else currentSession()?.probe();
  });
  return () => {
    window.removeEventListener('beforeunload', onLeave);
    stop();
  };
}

function onEvent(event: ServerEvent) {
  const session = currentSession();
  const studio = useStudio.getState();
  switch (event.event) {
    case 'update':
      if (session?.path === event.path) session.hear(event.version, event.updates);
      break;
    case 'disk':
      if (session?.path === event.path) onDisk(session, event);
      break;
    case 'saved':
      if (session?.path === event.path && !session.hasUnsent) {
        session.markSaved(session.state.doc);
        useStudio.setState({ isDirty: session.isDirty });
      }
      break;
    case 'run':
      studio.onProgress(event);
      break;
    case 'folder':
      void studio.openFolder();
      break;
  }
}

function onDisk(session: Session, event: Extract<ServerEvent, { event: 'disk' }>) {
  const studio = useStudio.getState();
  if (event.kind === 'deleted') {
    session.markSaved(null);
    useStudio.setState({ isDirty: true });
    studio.notify('warning', `Another program has deleted ${event.path}. Its text is still here; saving writes the file again.`);
  } else if (event.isDirty) useConflict.getState().raise(event.path, null);
  else studio.notify('info', `Another program has changed ${event.path}; it was read again.`);
}

// Leaving with changes that lie in no file asks first. The server keeps them either way, unless they have not reached it.
export function onLeave(event: BeforeUnloadEvent) {
  if (useStudio.getState().isDirty && !useStudio.getState().isReadOnly) event.preventDefault();
}
