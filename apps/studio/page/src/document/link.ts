// SPDX-License-Identifier: BSD-3-Clause
// Begins to talk with the server, once: the token, the folder, the document of the address, and what the server tells by itself.
import { listen, takeToken } from '../api';
import { useStudio } from '../parts';
import type { ServerEvent } from '../protocol';
import { currentSession } from './current';

export function start(): () => void {
  const address = takeToken();
  const studio = useStudio.getState();
  void studio.openFolder().then(() => {
    const opened = address.open || useStudio.getState().folder?.opened;
    if (opened && useStudio.getState().path === null) void studio.openDocument(opened);
  });
  return listen(onEvent, (isThere) => {
    if (isThere) currentSession()?.resume();
  });
}

function onEvent(event: ServerEvent) {
  const session = currentSession();
  const studio = useStudio.getState();
  switch (event.event) {
    case 'update':
      if (session?.path === event.path) session.hear(event.version, event.updates);
      break;
    case 'run':
      studio.onProgress(event);
      break;
    case 'folder':
      void studio.openFolder();
      break;
    default:
      break;
  }
}
