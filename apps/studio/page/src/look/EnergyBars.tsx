// SPDX-License-Identifier: BSD-3-Clause
// The energy in each storage at the cursor, and, within an instant, what it was before.
import { useStudio } from '../parts';
import type { Column, RunInfo } from '../protocol';
import { barsOf, type Bar } from './energies';
import { numberText, stampText, timeText } from './number';
import { lookEngine } from './engine';
import { useLookView } from './view';

export function EnergyBars() {
  const run = useStudio((state) => state.runs.find((info) => info.run === state.current));
  const cursor = useStudio((state) => state.cursor);
  const opened = useLookView((state) => state.opened);
  useLookView((state) => state.recordingVersion);
  const columns = run?.columns.filter((column) => column.group === 'energy') ?? [];
  if (run === undefined || columns.length === 0) return <p className="empty-note">This model stores no energy.</p>;
  const recording = lookEngine().recordings.get(run.run);
  const row = cursor?.row ?? (recording?.grid.count ?? 1) - 1;
  const isInstant = opened !== null && cursor !== null && cursor.row > opened.first;
  const bars = barsOf(columns, (name) => valueOf(run, columns, name, row), isInstant ? (name) => valueOf(run, columns, name, opened.first) : null);
  return (
    <div className="energy">
      <p className="hint">{cursor === null ? 'At the end of the run' : `At ${cursor.answer !== null && cursor.answer.kind !== 'sample' ? stampText(`${timeText(cursor.time, run.stop)} s`, cursor.answer.eps, cursor.answer.n) : `${timeText(cursor.time, run.stop)} s`}`}
        {isInstant && '; the frames show what it was before the instant'}</p>
      <table>
        <tbody>{bars.map((bar) => <BarRow key={bar.name} bar={bar} />)}</tbody>
      </table>
    </div>
  );
}

const valueOf = (run: RunInfo, columns: Column[], name: string, row: number): number => {
  const recorded = lookEngine().recordings.get(run.run)?.columns.get(name);
  return columns.some((column) => column.name === name) && recorded !== undefined && row < recorded.count ? (recorded.values[row] as number) : NaN;
};

function BarRow({ bar }: { bar: Bar }) {
  return (
    <tr className={bar.isTotal ? 'is-total' : ''}>
      <th scope="row">{bar.isTotal ? 'together' : bar.name}</th>
      <td className="energy-bar">
        <span className="fill" style={{ width: `${bar.share * 100}%` }} />
        {bar.ghost !== null && <span className="ghost" style={{ width: `${bar.ghost * 100}%` }} />}
      </td>
      <td className="value">{Number.isNaN(bar.value) ? '–' : `${numberText(bar.value, 4)} J`}</td>
    </tr>
  );
}
