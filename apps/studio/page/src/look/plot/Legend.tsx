// SPDX-License-Identifier: BSD-3-Clause
// The curves of a pane, with their values where the pointer or the cursor is.
import { useStudio } from '../../parts';
import { numberText, unitText } from '../number';
import { stateText } from './lanes';
import type { ShownCurve } from './picture';

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

export function Legend({ curves, place, hasManyRuns }: { curves: ShownCurve[]; place: { time: number; row: number | null } | null; hasManyRuns: boolean }) {
  const unplot = useStudio((state) => state.unplot);
  return (
    <ul className="plot-legend">
      {curves.map((curve) => {
        const value = valueAt(curve, place);
        const label = hasManyRuns ? curve.run.info.label || 'as written' : '';
        return (
          <li key={`${curve.run.info.run} ${curve.name}`} className={curve.run.isCurrent ? 'is-current' : ''}>
            <Swatch {...curve.style} />
            <span className="name" title={label ? `${curve.name} (${label})` : curve.name}>{curve.name}</span>
            {label !== '' && <span className="run-label">{label}</span>}
            {value !== null && <output>{curve.column.kind === 'number' ? `${numberText(value)}${curve.column.unit ? ` ${unitText(curve.column.unit)}` : ''}` : stateText(curve.column, value)}</output>}
            <button className="remove" title={`Show ${curve.name} no more`} aria-label={`Show ${curve.name} no more`} onClick={() => unplot(curve.name)}>×</button>
          </li>
        );
      })}
    </ul>
  );
}
