// SPDX-License-Identifier: BSD-3-Clause
// Run, pause, step, stop; progress. Stands in the top bar. F5 and Ctrl+Enter run, F10 steps to the next event.
import { useEffect } from 'react';
import { useStudio } from '../parts';
import type { RunInfo } from '../protocol';
import { numberText } from './number';
import { useLookView } from './view';
import './runControls.css';

export function RunControls() {
  const current = useStudio((state) => state.runs.find((run) => run.run === state.current));
  const isWrong = useStudio((state) => state.look !== null && !state.look.isRight && state.isLookCurrent);
  const { run, command } = useStudio.getState();
  useEffect(listenToKeys, []);
  const isRunning = current?.state === 'running';
  const isPaused = current?.state === 'paused';
  return (
    <div className="run-controls" role="group" aria-label="Run">
      <button className="primary" onClick={() => void run()} title={isWrong ? 'The model has mistakes: this leads to the first of them' : 'Run from the start (F5 or Ctrl+Enter)'}>
        <Sign path="M4.5 2.5v11l9-5.5z" /> Run
      </button>
      <button className="icon" disabled={!isRunning && !isPaused} aria-label={isPaused ? 'Go on' : 'Pause'} title={isPaused ? 'Go on' : 'Pause'} onClick={() => void command(isPaused ? 'resume' : 'pause')}>
        <Sign path={isPaused ? 'M5 3v10l7-5z' : 'M4 3h3v10H4zM9 3h3v10H9z'} />
      </button>
      <button className="icon" disabled={isRunning} aria-label="Step to the next event" title="Step to the next event (F10)" onClick={() => void command('step')}>
        <Sign path="M3 3v10l6-5zM10.5 3h2.5v10h-2.5z" />
      </button>
      <button className="icon" disabled={!isRunning && !isPaused} aria-label="Stop" title="Stop the run; what it has computed stays" onClick={() => void command('cancel')}>
        <Sign path="M3.5 3.5h9v9h-9z" />
      </button>
      {current && <Progress run={current} />}
    </div>
  );
}

const Sign = ({ path }: { path: string }) => <svg className="run-sign" width="14" height="14" viewBox="0 0 16 16" aria-hidden="true"><path d={path} /></svg>;

const words: Record<RunInfo['state'], string> = { running: 'running', paused: 'paused', done: 'done', stopped: 'stopped early', failed: 'could not go on', cancelled: 'stopped' };

function Progress({ run }: { run: RunInfo }) {
  const total = useLookView((state) => state.instantTotal);
  const isOver = run.state === 'done';
  const share = run.stop > 0 && Number.isFinite(run.stop) ? Math.min(run.time / run.stop, 1) : 0;
  const events = Math.max(run.events, total);
  return (
    <div className={`run-progress is-${run.state}`} title={run.failure || undefined}>
      <span className="words">{words[run.state]}{isOver ? '' : ` at ${numberText(run.time, 4)} s`}, {events.toLocaleString('en')} {events === 1 ? 'event' : 'events'}</span>
      <span className="run-bar" role="progressbar" aria-label="Progress of the run" aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(100 * (isOver ? 1 : share))}>
        <span style={{ width: `${100 * (isOver ? 1 : share)}%` }} />
      </span>
    </div>
  );
}

// The browser's own F5 would take the page away.
const listenToKeys = () => {
  const onKey = (event: KeyboardEvent) => {
    const isRun = event.key === 'F5' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey));
    if (event.defaultPrevented || event.altKey || (!isRun && event.key !== 'F10') || useStudio.getState().path === null) return;
    if (event.key === 'F5' && (event.ctrlKey || event.shiftKey)) return; // reloading stays possible
    event.preventDefault();
    if (isRun) void useStudio.getState().run();
    else void useStudio.getState().command('step');
  };
  window.addEventListener('keydown', onKey);
  return () => window.removeEventListener('keydown', onKey);
};
