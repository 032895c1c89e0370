// SPDX-License-Identifier: BSD-3-Clause
// An instant opened up into its rows <t, k, n>: before, mythical (hatched: inference, not real), pinnacle, after. A click or the arrow keys step through
// them, and the drawing, the values and the machines follow.
import { useState } from 'react';
import { useStudio } from '../../parts';
import type { Instant, InstantRow } from '../../protocol';
import { shownColumns } from '../columns';
import { goToEvent, moveCursor } from '../moves';
import { stampText, timeText, unitText } from '../number';
import { useLookView } from '../view';
import { Ledger } from './Ledger';
import { linesOf, tableColumns, worthTelling, type Line } from './table';
import { useInstant, useValues } from './useInstant';
import { Why } from './Why';
import { kindMeaning, kindText } from './words';

const mostLines = 24;

export function InstantView() {
  const opened = useLookView((state) => state.opened);
  const instant = useInstant(opened);
  if (opened === null || instant === null) return <NoInstant />;
  return (
    <div className="instant">
      <Head index={opened.instant} time={opened.time} />
      <Strip instant={instant} />
      <Why instant={instant} />
      <Ledger opened={opened} />
    </div>
  );
}

function NoInstant() {
  const total = useLookView((state) => state.instantTotal);
  return (
    <div className="look-empty">
      {total > 0 ? (
        <>
          <p>{total === 1 ? 'One event happened.' : `${total.toLocaleString('en')} events happened.`}</p>
          <button className="outlined" onClick={() => goToEvent(1)}>Look into {total === 1 ? 'it' : 'the next one'} <kbd>]</kbd></button>
          <p className="hint">Or click an orange mark on the time axis. There the axis opens up, and you see why the machines switched.</p>
        </>
      ) : <p>Nothing switched or jumped in this run.</p>}
    </div>
  );
}

function Head({ index, time }: { index: number; time: number }) {
  const total = useLookView((state) => state.instantTotal);
  const stop = useStudio((state) => state.runs.find((run) => run.run === state.current)?.stop ?? 1);
  return (
    <header className="instant-head">
      <h2>t = {timeText(time, stop)} s</h2>
      <span className="hint">event {(index + 1).toLocaleString('en')} of {total.toLocaleString('en')}</span>
      <span className="space" />
      <button className="outlined" onClick={() => moveCursor(-1)} title="The row before (←)">←</button>
      <button className="outlined" onClick={() => moveCursor(1)} title="The next row (→)">→</button>
    </header>
  );
}

function Strip({ instant }: { instant: Instant }) {
  const opened = useLookView((state) => state.opened);
  const columns = useStudio((state) => state.runs.find((run) => run.run === state.current)?.columns) ?? [];
  const panes = useStudio((state) => state.panes);
  const [isWhole, setWhole] = useState(false);
  const wanted = tableColumns(columns, shownColumns(panes));
  const values = useValues(opened, wanted);
  const lines = values === null ? [] : linesOf(wanted, values, instant.rows.length);
  const { shown, hidden } = isWhole ? { shown: lines, hidden: 0 } : worthTelling(lines, mostLines);
  return (
    <div className="strip-scroll">
      <table className="strip">
        <thead>
          <tr>
            <td />
            {instant.rows.map((row) => <RowHead key={row.row} row={row} />)}
            <td />
          </tr>
        </thead>
        <tbody>{shown.map((line) => <LineRow key={line.name} line={line} instant={instant} />)}</tbody>
      </table>
      {hidden > 0 && <button className="more" onClick={() => setWhole(true)}>{hidden} more that did not change</button>}
    </div>
  );
}

function RowHead({ row }: { row: InstantRow }) {
  const isChosen = useStudio((state) => state.cursor?.row === row.row);
  const { setCursorRow } = useStudio.getState();
  return (
    <th className={`is-${row.kind}${isChosen ? ' is-chosen' : ''}`} scope="col">
      <button aria-pressed={isChosen} title={kindMeaning(row.kind)} onClick={() => setCursorRow(row.row)}>
        <span className="kind">{kindText(row.kind)}</span>
        <span className="stamp">{stampText('t', row.eps, row.n)}</span>
        {row.kind === 'mythical' && <span className="remark">inference, not real</span>}
      </button>
    </th>
  );
}

function LineRow({ line, instant }: { line: Line; instant: Instant }) {
  const chosen = useStudio((state) => state.cursor?.row);
  const { setCursorRow } = useStudio.getState();
  return (
    <tr className={`is-${line.sort}`}>
      <th scope="row" title={line.name}>{line.name}</th>
      {line.cells.map((cell, index) => {
        const row = instant.rows[index];
        if (row === undefined) return null;
        const state = cell.isOn === null ? '' : cell.isOn ? ' is-on' : ' is-off';
        return (
          <td key={row.row} className={`is-${row.kind}${row.row === chosen ? ' is-chosen' : ''}${cell.isChanged ? ' is-changed' : ''}${state}`} onClick={() => setCursorRow(row.row)}>
            <span>{cell.text}</span>
          </td>
        );
      })}
      <td className="unit">{unitText(line.unit)}</td>
    </tr>
  );
}
