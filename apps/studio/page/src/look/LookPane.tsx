// SPDX-License-Identifier: BSD-3-Clause
// Plots, instants, energies: what a run was. Keys: arrows move the cursor, [ and ] go from event to event, + and - zoom, Escape closes.
import type { KeyboardEvent } from 'react';
import { useStudio } from '../parts';
import { ColumnTree } from './ColumnTree';
import { EnergyBars } from './EnergyBars';
import { EventList } from './EventList';
import { InstantView } from './instant/InstantView';
import { LookBar } from './LookBar';
import { goToEvent, moveCursor, zoom } from './moves';
import { Plots, useColumnDrop } from './plot/Plots';
import { RunList } from './RunList';
import { setLookView, useLookView, type Tab } from './view';
import './look.css';

export function LookPane() {
  const hasRun = useStudio((state) => state.current !== null);
  return <div className="look" tabIndex={0} onKeyDown={onKey} aria-label="What the run was">{hasRun ? <Seen /> : <NothingYet />}</div>;
}

function NothingYet() {
  const run = useStudio((state) => state.run);
  const isWrong = useStudio((state) => state.look !== null && !state.look.isRight && state.isLookCurrent);
  return (
    <div className="look-empty">
      <p>{isWrong ? 'The model has mistakes: when they are mended it can run.' : 'Nothing has run yet.'}</p>
      {!isWrong && <button className="primary" onClick={() => void run()}>Run <kbd>F5</kbd></button>}
      <p className="hint">Then its curves stand here. Click an event on the time axis, and the axis opens up: before, mythical, pinnacle, after.</p>
    </div>
  );
}

function Seen() {
  const isTreeOpen = useLookView((state) => state.isTreeOpen);
  const isSideOpen = useLookView((state) => state.isSideOpen);
  const drop = useColumnDrop(-1);
  return (
    <>
      <LookBar />
      <div className="look-body">
        {isTreeOpen && <ColumnTree />}
        <div className="look-plots" {...drop}><Plots /></div>
        {isSideOpen && <Side />}
      </div>
    </>
  );
}

const tabs: [Tab, string][] = [['instant', 'Instant'], ['events', 'Events'], ['energy', 'Energy'], ['runs', 'Runs']];

function Side() {
  const tab = useLookView((state) => state.tab);
  const total = useLookView((state) => state.instantTotal);
  const runCount = useStudio((state) => state.runs.length);
  const counts: Partial<Record<Tab, number>> = { events: total, runs: runCount };
  return (
    <aside className="look-side">
      <div className="look-tabs" role="tablist">
        {tabs.map(([key, title]) => (
          <button key={key} role="tab" aria-selected={tab === key} onClick={() => setLookView({ tab: key })}>
            {title}{counts[key] !== undefined && <span className="count">{counts[key]}</span>}
          </button>
        ))}
      </div>
      <div className="look-tab" role="tabpanel">
        {tab === 'instant' && <InstantView />}
        {tab === 'events' && <EventList />}
        {tab === 'energy' && <EnergyBars />}
        {tab === 'runs' && <RunList />}
      </div>
    </aside>
  );
}

const keys: Record<string, (event: KeyboardEvent) => void> = {
  ArrowLeft: (event) => moveCursor(event.shiftKey ? -10 : -1),
  ArrowRight: (event) => moveCursor(event.shiftKey ? 10 : 1),
  '[': () => goToEvent(-1),
  ']': () => goToEvent(1),
  '+': () => zoom(0.5),
  '=': () => zoom(0.5),
  '-': () => zoom(2),
  '0': () => setLookView({ view: null }),
  Escape: () => closeOne(),
};

const onKey = (event: KeyboardEvent) => {
  const isField = (event.target as Element).matches('input, textarea, select, [contenteditable]');
  const key = keys[event.key];
  if (isField || key === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  key(event);
};

// First the opened instant, then the cursor.
const closeOne = () => {
  if (useLookView.getState().opened !== null) setLookView({ opened: null });
  else useStudio.getState().clearCursor();
};
