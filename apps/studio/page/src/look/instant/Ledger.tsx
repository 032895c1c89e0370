// SPDX-License-Identifier: BSD-3-Clause
// The ledger of an event: what was exchanged, what was conserved, what energy was lost.
import type { LedgerAnswer } from '../../protocol';
import { numberText, unitText } from '../number';
import type { OpenedInstant } from '../view';
import { isConserved } from './balance';
import { useLedger } from './useInstant';

export function Ledger({ opened }: { opened: OpenedInstant }) {
  const ledger = useLedger(opened);
  if (ledger === null) return null;
  const isEmpty = ledger.impulses.length === 0 && ledger.stored.length === 0 && ledger.sums.length === 0;
  return (
    <section className="ledger">
      <h3>Ledger of the event</h3>
      {isEmpty ? <p className="hint">Nothing that is stored jumped, and no impulse was exchanged.</p> : (
        <>
          <Sums ledger={ledger} />
          <Impulses ledger={ledger} />
          <Energy ledger={ledger} />
        </>
      )}
    </section>
  );
}

const withUnit = (value: number, unit: string) => `${numberText(value)}${unit ? ` ${unitText(unit)}` : ''}`;

function Sums({ ledger }: { ledger: LedgerAnswer }) {
  return (
    <>
      {ledger.sums.map((sum) => (
        <p key={`${sum.name} ${sum.members.join()}`} className="sum">
          <span className={isConserved(sum) ? 'tick' : 'cross'} aria-hidden="true">{isConserved(sum) ? '✓' : '≠'}</span>
          {isConserved(sum) ? 'Conserved' : 'Not conserved'}: {sum.members.join(' + ')} = <b>{withUnit(sum.before, sum.unit)}</b>
          {isConserved(sum) ? ' before and after' : <> before, <b>{withUnit(sum.after, sum.unit)}</b> after</>}
        </p>
      ))}
    </>
  );
}

function Impulses({ ledger }: { ledger: LedgerAnswer }) {
  if (ledger.impulses.length === 0) return null;
  return (
    <table className="impulses">
      <thead><tr><th>impulse over</th><th>weight</th></tr></thead>
      <tbody>
        {ledger.impulses.map((impulse) => {
          const weight = impulse.effort !== 0 ? impulse.effort : impulse.flow;
          return <tr key={`${impulse.tail} ${impulse.head} ${impulse.bond}`}><td>{impulse.tail} ⇀ {impulse.head}</td><td>{withUnit(weight, impulse.unit)}</td></tr>;
        })}
      </tbody>
    </table>
  );
}

function Energy({ ledger }: { ledger: LedgerAnswer }) {
  const before = ledger.energies.reduce((sum, each) => sum + each.before, 0);
  const after = ledger.energies.reduce((sum, each) => sum + each.after, 0);
  const share = before > 0 && after >= 0 ? Math.min(after / before, 1) : 0;
  return (
    <div className="energy-sum">
      <p>Energy <b>{withUnit(before, 'J')}</b> before, <b>{withUnit(after, 'J')}</b> after: {ledger.lost >= 0 ? <><b className="lost">{withUnit(ledger.lost, 'J')}</b> lost</> : <><b>{withUnit(-ledger.lost, 'J')}</b> brought in by sources</>}</p>
      {before > 0 && ledger.lost >= 0 && <div className="energy-line" role="img" aria-label={`${numberText(100 * share, 3)} % is left`}><span style={{ width: `${100 * share}%` }} /></div>}
    </div>
  );
}
