// SPDX-License-Identifier: BSD-3-Clause
// Why did it switch? The guards that fired, with the values of their sides.
import { useStudio } from '../../parts';
import type { Guard, Instant, InstantRow } from '../../protocol';
import { numberText, stampText, unitText } from '../number';
import { kindText } from './words';

export function Why({ instant }: { instant: Instant }) {
  const chosen = useStudio((state) => state.cursor?.row);
  const index = Math.max(instant.rows.findIndex((row) => row.row === chosen), 0);
  const row = instant.rows[index] as InstantRow;
  const next = instant.rows[index + 1];
  return (
    <section className="why">
      <h3>Why did it switch?</h3>
      {row.guards.length > 0 && <Led title={`What led to ${stampText('t', row.eps, row.n)}`} row={row} />}
      {row.guards.length === 0 && row.cause !== '' && <p>{row.cause}</p>}
      {next !== undefined && <Led title={leaves(row, next)} row={next} isNext />}
      {next === undefined && <p className="hint">No guard holds any more: time goes on from here.</p>}
    </section>
  );
}

const leaves = (row: InstantRow, next: InstantRow): string => {
  const stamp = stampText('t', next.eps, next.n);
  if (row.kind === 'mythical') return `Why ${stampText('t', row.eps, row.n)} was only inferred: at once this held, and led to ${stamp}`;
  if (row.kind === 'pinnacle') return `Why the ${kindText(row.kind)} was left within ε: its new values made this true, and led to ${stamp}`;
  return `What happened then, and led to ${stamp}`;
};

function Led({ title, row, isNext = false }: { title: string; row: InstantRow; isNext?: boolean }) {
  return (
    <div className={`led${isNext ? ' is-next' : ''}`}>
      <p className="led-title">{title}</p>
      {row.guards.map((guard, index) => <Fired key={`${guard.machine} ${index}`} guard={guard} />)}
      {row.guards.length === 0 && <p>{row.cause === '' ? 'An input or a stored value changed.' : row.cause}</p>}
    </div>
  );
}

function Fired({ guard }: { guard: Guard }) {
  return (
    <div className="fired">
      <p className="transition"><b>{guard.machine}</b> <span>{guard.from}</span> <span aria-label="to">→</span> <span>{guard.to}</span></p>
      <p className="guard"><span className="when">when</span> <code>{guard.guard}</code></p>
      <ul>
        {guard.values.map((value) => (
          <li key={value.text}>
            <code>{value.text}</code> = <output>{numberText(value.value)}{value.unit ? ` ${unitText(value.unit)}` : ''}</output>
            {value.isAPriori && <span className="a-priori" title="A priori: the value at the last committed instant"> a priori</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
