// SPDX-License-Identifier: BSD-3-Clause
// The runs at hand: which is looked into, which are kept beside it for comparison, which are shown.
import { useStudio } from '../parts';
import type { RunInfo } from '../protocol';
import { numberText } from './number';
import { lookEngine } from './engine';
import { Swatch } from './plot/Legend';
import { dashOf, isColouredByRun, colourOf } from './plot/picture';
import { useShownRuns } from './plot/useShown';
import { useLookView } from './view';

export function RunList() {
  const runs = useStudio((state) => state.runs);
  return (
    <div className="run-list">
      <p className="hint">Keep a run, change a slider or the model, and compare: the next run is drawn beside it.</p>
      <ul>{runs.map((run) => <RunLine key={run.run} run={run} />)}</ul>
    </div>
  );
}

const stateText: Record<RunInfo['state'], string> = { running: 'running', paused: 'paused', done: 'done', stopped: 'stopped early', failed: 'failed', cancelled: 'stopped by you' };

function RunLine({ run }: { run: RunInfo }) {
  const isCurrent = useStudio((state) => state.current === run.run);
  const isHidden = useStudio((state) => state.hidden.has(run.run));
  const isKept = useLookView((state) => state.kept.has(run.run));
  const panes = useStudio((state) => state.panes);
  const { forget } = useStudio.getState();
  const shown = useShownRuns();
  const index = shown.findIndex((other) => other.info.run === run.run);
  const colour = isColouredByRun(panes, shown) && index >= 0 ? colourOf(index) : '--text-soft';
  return (
    <li className={isCurrent ? 'is-current' : ''}>
      <div className="run-line">
        <input type="checkbox" checked={!isHidden} onChange={() => lookEngine().hide(run.run, !isHidden)} title="Show its curves" aria-label={`Show the curves of ${run.label || 'the run as written'}`} />
        {index >= 0 ? <Swatch colour={colour} dash={dashOf(index)} /> : <span className="swatch" />}
        <button className="run-name" onClick={() => lookEngine().show(run.run)} title="Look into this run">{run.label || 'as written'}</button>
        <button aria-pressed={isKept} onClick={() => lookEngine().keep(run.run, !isKept)} title={isKept ? 'The next run may replace it' : 'The next run does not replace it'}>{isKept ? 'kept' : 'keep'}</button>
        <button className="icon" title="Forget this run" aria-label="Forget this run" onClick={() => void forget(run.run)}>×</button>
      </div>
      <p className="run-facts">{stateText[run.state]} · {run.rows.toLocaleString('en')} rows · {run.events.toLocaleString('en')} {run.events === 1 ? 'event' : 'events'} · to {numberText(run.time)} s{run.seconds > 0 ? ` · took ${numberText(run.seconds, 2)} s` : ''}</p>
      {run.failure !== '' && <pre className="run-failure">{run.failure}</pre>}
      {run.warnings.map((warning) => <p key={warning} className="run-warning">{warning}</p>)}
    </li>
  );
}
