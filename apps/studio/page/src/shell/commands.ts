// SPDX-License-Identifier: BSD-3-Clause
// What can be done from anywhere: for the keys, and for the search box.
import { currentSession, useSession } from '../document/current';
import { useStudio } from '../parts';
import { format } from '../text/extensions';
import { copyLink, exportDrawing, exportTable, exportText } from './exports';
import { useLayout } from './layout';
import { useOverlay } from './overlay';

export type Command = { title: string; keys?: string; run: () => void; isPossible?: () => boolean };

const studio = () => useStudio.getState();
const isWritable = () => studio().path !== null && !studio().isReadOnly;
const toggle = (pane: 'palette' | 'text' | 'inspector' | 'look') => () => useLayout.getState().toggle(pane);

export const commands: Command[] = [
  { title: 'Save', keys: 'Ctrl+S', run: () => void studio().save(), isPossible: isWritable },
  { title: 'Undo', keys: 'Ctrl+Z', run: () => studio().undo(), isPossible: isWritable },
  { title: 'Redo', keys: 'Ctrl+Shift+Z', run: () => studio().redo(), isPossible: isWritable },
  { title: 'Run', keys: 'F5', run: () => void studio().run() },
  { title: 'Show or hide the text', keys: 'Ctrl+E', run: toggle('text') },
  { title: 'Show or hide the palette', run: toggle('palette'), isPossible: isWritable },
  { title: 'Show or hide the inspector', run: toggle('inspector') },
  { title: 'Show or hide plots and instants', run: toggle('look') },
  {
    title: 'Format the text', keys: 'Shift+Alt+F', isPossible: isWritable,
    run: () => {
      const { host } = useSession.getState();
      if (host) void format(host);
    },
  },
  { title: 'Save a copy …', run: () => useOverlay.getState().show('copy') },
  { title: 'Export the drawing as SVG', run: () => void exportDrawing('svg') },
  { title: 'Export the drawing as PNG', run: () => void exportDrawing('png') },
  { title: 'Export the run as CSV', run: () => void exportTable('csv') },
  { title: 'Export the events as CSV', run: () => void exportTable('events') },
  { title: 'Download the model file', run: exportText, isPossible: () => currentSession() !== null },
  { title: 'Copy the address of this model', run: () => void copyLink() },
  { title: 'Keyboard and mouse', keys: '?', run: () => useOverlay.getState().show('help') },
  { title: 'Back to all models', run: () => void studio().closeDocument() },
];
export const possibleCommands = (): Command[] => commands.filter((command) => command.isPossible?.() ?? true);

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;
// "Ctrl+Shift+Z" of a pressed key; Cmd counts as Ctrl.
export function keysOf(pressed: Pressed): string {
  const key = pressed.key.length === 1 ? pressed.key.toUpperCase() : pressed.key;
  const isLetter = /^\p{L}$/u.test(key);
  return [(pressed.ctrlKey || pressed.metaKey) && 'Ctrl', pressed.shiftKey && (isLetter || key.length > 1) && 'Shift', pressed.altKey && 'Alt', key].filter(Boolean).join('+');
}
