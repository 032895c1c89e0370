// SPDX-License-Identifier: BSD-3-Clause
// What leaves the page: the drawing as it is seen, a run's numbers, the text, an address.
import { callBlob, linkTo, sentenceOf } from '../api';
import { currentSession } from '../document/current';
import { useStudio } from '../parts';
import { download } from './download';

// "folder/newtons-cradle.hbg" becomes newtons-cradle, "library:slip.hbg" slip.
export const stemOf = (path: string): string => path.replace(/^library:/, '').replace(/^.*\//, '').replace(/\.hbg$/, '');

const guarded = (work: () => Promise<void>) => async () => {
  try {
    await work();
  } catch (error) {
    useStudio.getState().notify('error', sentenceOf(error));
  }
};

export const exportDrawing = (format: 'svg' | 'png') =>
  guarded(async () => {
    const session = currentSession();
    if (!session) return;
    await session.flush();
    const { level, mode, cursor } = useStudio.getState();
    const shown = cursor?.answer ? { mode: cursor.answer.mode, run: cursor.run, row: cursor.row } : { mode };
    const picture = await callBlob('draw', { path: session.path, version: session.version, level, format, ...shown });
    download(`${[stemOf(session.path), ...(level ? [level] : [])].join('-')}.${format}`, picture);
  })();

export const exportTable = (format: 'csv' | 'events') =>
  guarded(async () => {
    const { current, path, notify } = useStudio.getState();
    if (!current || !path) return notify('warning', 'There is no run yet whose numbers could be written. Run the model first.');
    download(`${stemOf(path)}${format === 'events' ? '-events' : ''}.csv`, await callBlob('table', { run: current, format }));
  })();

export function exportText() {
  const session = currentSession();
  if (session) download(`${stemOf(session.path)}.hbg`, new Blob([session.state.doc.toString()], { type: 'text/plain' }));
}

export const copyLink = () =>
  guarded(async () => {
    const { path, notify } = useStudio.getState();
    await navigator.clipboard.writeText(linkTo(path ?? ''));
    notify('info', 'The address is in the clipboard. It opens this model on this computer as long as the server runs; who has it can change the folder’s models.');
  })();
