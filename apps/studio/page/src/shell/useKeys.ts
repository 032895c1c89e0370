// SPDX-License-Identifier: BSD-3-Clause
// The keys that hold everywhere. Who has taken a key before (a field, the text, the drawing) keeps it.
import { useEffect } from 'react';
import { commands, keysOf } from './commands';
import { useOverlay } from './overlay';

const inFields = new Set(['Ctrl+S', 'Ctrl+E', 'F5']); // hold also while something is typed

export function useKeys() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const keys = keysOf(event);
      const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable="true"]') !== null;
      if (keys === 'Ctrl+K') {
        event.preventDefault();
        useOverlay.getState().show('search');
        return;
      }
      if (useOverlay.getState().shown || (isTyping && !inFields.has(keys))) return;
      const command = commands.find((each) => each.keys === keys || (each.title === 'Redo' && keys === 'Ctrl+Y'));
      if (!command || (command.isPossible && !command.isPossible())) return;
      event.preventDefault();
      command.run();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
