// SPDX-License-Identifier: BSD-3-Clause
// The curves of a pane, with their values where the pointer or the cursor is.
import { useStudio } from '../../parts';
import { numberText } from '../number';
import { stateText } from './lanes';
import { colourOf, dashOf, type ShownCurve, type ShownRun } from './picture';

// The value of a curve at a row of the current run, or at a time.
export const valueAt = (curve: ShownCurve, place: { time: number; row: number | null } | null): number | null => {
  if (place === null) return null;
  const { recorded, run } = curve;
  const row = place.row !== null && run.isCurrent && recorded.grid === run.recording.grid ? place.row : recorded.grid.rowAt(place.time);
  return row < 0 || row >= recorded.count ? null : (recorded.values[row] ?? null);
};

export function Swatch({ colour, dash }: { colour: string; dash: number[] | undefined }) {
  return (
    <svg className="swatch" width="20" height="8" aria-hidden="true">
      <line x1="1" x2="19" y1="4" y2="4" style={{ stroke: `var(${colour})` }} strokeWidth="2" strokeDasharray={dash?.join(' ')} />
    </svg>
  );
}

type Place = { time: number; row: number | null };

// without the unit, which stands at the axis
const valueText = (curve: ShownCurve, value: number): string => (curve.column.kind === 'number' ? numberText(value) : stateText(curve.column, value));

// Each column once; of several runs their values stand side by side, that of the current run first.
export function Legend({ curves, place }: { curves: ShownCurve[]; place: Place | null }) {
  const names = [...new Set(curves.map((curve) => curve.name))];
  return (
    <ul className="plot-legend">
      {names.map((name) => <Entry key={name} name={name} curves={curves.filter((curve) => curve.name === name)} place={place} />)}
    </ul>
  );
}

function Entry({ name, curves, place }: { name: string; curves: ShownCurve[]; place: Place | null }) {
  const unplot = useStudio((state) => state.unplot);
  const [first] = curves;
  const isOne = curves.length === 1;
  if (first === undefined) return null;
  return (
    <li>
      {isOne && <Swatch {...first.style} />}
      {!isOne && <i className="dot" style={{ background: `var(${first.style.colour})` }} />}
      <span className="name" title={name}>{name}</span>
      {curves.map((curve) => {
        const value = valueAt(curve, place);
        if (value === null) return null;
        return <output key={curve.run.info.run} className={curve.run.isCurrent ? 'is-current' : ''} title={runLabel(curve.run.info)}>{!isOne && <Swatch {...curve.style} />}{valueText(curve, value)}</output>;
      })}
      <button className="remove" title={`Show ${name} no more`} aria-label={`Show ${name} no more`} onClick={() => unplot(name)}>×</button>
    </li>
  );
}

export const runLabel = (run: { label: string }): string => run.label || 'as written';

// Which dash (or, where the panes have one column each, which colour) is which run.
export function RunKey({ runs, isColoured }: { runs: ShownRun[]; isColoured: boolean }) {
  return (
    <ul className="run-key" aria-label="Runs that are compared">
      {runs.map((run, index) => (
        <li key={run.info.run} className={run.isCurrent ? 'is-current' : ''}>
          <Swatch colour={isColoured ? colourOf(index) : '--text'} dash={dashOf(index)} />{runLabel(run.info)}
        </li>
      ))}
    </ul>
  );
}
