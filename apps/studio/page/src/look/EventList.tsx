// SPDX-License-Identifier: BSD-3-Clause
// All events of the run. Only those in sight are fetched and made: there may be twenty thousand.
import { useEffect, useRef, useState } from 'react';
import { useStudio } from '../parts';
import type { Instant } from '../protocol';
import { switchedIn } from './instant/table';
import { bringIntoView } from './moves';
import { timeText } from './number';
import { lookEngine } from './engine';
import { setLookView, useLookView } from './view';

const lineHeight = 26;
const around = 10; // lines beyond those in sight

export function EventList() {
  const total = useLookView((state) => state.instantTotal);
  const opened = useLookView((state) => state.opened);
  const instants = useStudio((state) => state.instants);
  const stop = useStudio((state) => state.runs.find((run) => run.run === state.current)?.stop ?? 1);
  const element = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState({ first: 0, count: 40 });
  const look = () => {
    const list = element.current;
    if (list !== null) setSight({ first: Math.max(Math.floor(list.scrollTop / lineHeight) - around, 0), count: Math.ceil(list.clientHeight / lineHeight) + 2 * around });
  };
  useEffect(look, [total]);
  useEffect(() => {
    void lookEngine().instants()?.need(sight.first, Math.min(sight.count, Math.max(total - sight.first, 1))).catch(() => undefined);
  }, [sight, total]);
  useEffect(() => scrollTo(element.current, opened?.instant), [opened?.instant]);
  if (total === 0) return <p className="empty-note">Nothing switched or jumped in this run.</p>;
  const last = Math.min(sight.first + sight.count, total);
  return (
    <div className="event-list" ref={element} onScroll={look} role="listbox" aria-label="Events">
      <div style={{ height: total * lineHeight }}>
        {Array.from({ length: Math.max(last - sight.first, 0) }, (_, offset) => {
          const index = sight.first + offset;
          return <EventLine key={index} index={index} instant={instants[index]} stop={stop} isOpen={opened?.instant === index} />;
        })}
      </div>
    </div>
  );
}

const scrollTo = (list: HTMLDivElement | null, index: number | undefined): void => {
  if (list === null || index === undefined) return;
  const top = index * lineHeight;
  if (top < list.scrollTop || top + lineHeight > list.scrollTop + list.clientHeight) list.scrollTop = Math.max(top - list.clientHeight / 2, 0);
};

function EventLine({ index, instant, stop, isOpen }: { index: number; instant: Instant | undefined; stop: number; isOpen: boolean }) {
  const open = () => {
    useStudio.getState().setCursorInstant(index);
    setLookView({ tab: 'instant' });
    if (instant) bringIntoView(instant.time);
  };
  return (
    <button role="option" aria-selected={isOpen} className="event-line" style={{ top: index * lineHeight, height: lineHeight }} onClick={open}>
      <span className="number">{(index + 1).toLocaleString('en')}</span>
      {instant === undefined ? <span className="hint">…</span> : (
        <>
          <span className="time">{timeText(instant.time, stop)} s</span>
          <span className="rows" aria-label={`${instant.rows.length} rows`}>{instant.rows.map((row) => <i key={row.row} className={`is-${row.kind}`} />)}</span>
          <span className="what">{switchedIn(instant).join(', ') || (instant.hasJump ? 'jump' : 'input')}</span>
          {instant.hasJump && <span className="badge">jump</span>}
        </>
      )}
    </button>
  );
}
