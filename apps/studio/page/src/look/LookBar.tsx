// SPDX-License-Identifier: BSD-3-Clause
// Above the plots: which columns, how much of the time, where the cursor stands, and what can be taken out.
import { useStudio } from '../parts';
import { ExportMenu } from './ExportMenu';
import { kindMeaning, kindText } from './instant/words';
import { goToEvent, zoom } from './moves';
import { stampText, timeText } from './number';
import { setLookView, useLookView } from './view';

export function LookBar() {
  const isTreeOpen = useLookView((state) => state.isTreeOpen);
  const isSideOpen = useLookView((state) => state.isSideOpen);
  const total = useLookView((state) => state.instantTotal);
  const isWhole = useLookView((state) => state.view === null);
  return (
    <div className="look-bar">
      <button aria-pressed={isTreeOpen} onClick={() => setLookView({ isTreeOpen: !isTreeOpen })} title="Choose what is plotted">Columns</button>
      <span className="separator" />
      <button className="icon" onClick={() => zoom(0.5)} title="Zoom in (+)" aria-label="Zoom in">+</button>
      <button className="icon" onClick={() => zoom(2)} title="Zoom out (−)" aria-label="Zoom out" disabled={isWhole}>−</button>
      <button onClick={() => setLookView({ view: null })} title="Show the whole run (0, or double click)" disabled={isWhole}>All</button>
      <span className="separator" />
      <button className="icon" onClick={() => goToEvent(-1)} title="Event before ( [ )" aria-label="Event before" disabled={total === 0}>◂</button>
      <EventPlace total={total} />
      <button className="icon" onClick={() => goToEvent(1)} title="Next event ( ] )" aria-label="Next event" disabled={total === 0}>▸</button>
      <span className="separator" />
      <CursorPlace />
      <span className="space" />
      <ExportMenu />
      <button aria-pressed={isSideOpen} onClick={() => setLookView({ isSideOpen: !isSideOpen })} title="Instant, events, energy, runs">Details</button>
    </div>
  );
}

function EventPlace({ total }: { total: number }) {
  const opened = useLookView((state) => state.opened);
  const text = total === 0 ? 'no event' : opened === null ? `${total.toLocaleString('en')} ${total === 1 ? 'event' : 'events'}` : `event ${(opened.instant + 1).toLocaleString('en')} of ${total.toLocaleString('en')}`;
  return <span className="event-place">{text}</span>;
}

function CursorPlace() {
  const cursor = useStudio((state) => state.cursor);
  const length = useStudio((state) => state.runs.find((run) => run.run === state.current)?.stop ?? 1);
  const clearCursor = useStudio((state) => state.clearCursor);
  if (cursor === null) return <span className="cursor-place hint">Click into a plot to place the cursor.</span>;
  const time = timeText(cursor.time, length);
  const { answer } = cursor;
  const isInstant = answer !== null && answer.kind !== 'sample' && answer.row === cursor.row;
  return (
    <span className="cursor-place">
      <span className="stamp">{isInstant ? stampText(`${time} s`, answer.eps, answer.n) : `t = ${time} s`}</span>
      {isInstant && <span className={`kind is-${answer.kind}`} title={kindMeaning(answer.kind)}>{kindText(answer.kind)}</span>}
      <button className="icon remove" title="Take the cursor away (Escape)" aria-label="Take the cursor away" onClick={clearCursor}>×</button>
    </span>
  );
}
