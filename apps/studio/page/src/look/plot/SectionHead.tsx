// SPDX-License-Identifier: BSD-3-Clause
// What each row of the opened instant is, above its band: before, mythical, pinnacle, after.
import { useStudio } from '../../parts';
import { kindText } from '../instant/words';
import { stampText } from '../number';
import type { TimeMap } from './timeMap';

export function SectionHead({ map }: { map: TimeMap }) {
  const opened = map.section?.opened as { instant?: number } | undefined;
  const instant = useStudio((state) => (opened?.instant === undefined ? undefined : state.instants[opened.instant]));
  const row = useStudio((state) => state.cursor?.row);
  const { setCursorRow } = useStudio.getState();
  if (map.section === null || instant === undefined) return <div className="section-head" />;
  const { left, band } = map.section;
  return (
    <div className="section-head">
      {instant.rows.map((each, index) => (
        <button key={each.row} className={`section-band is-${each.kind}`} aria-pressed={each.row === row} style={{ left: left + index * band, width: band }}
          title={`${kindText(each.kind)} ${stampText('t', each.eps, each.n)}`} onClick={() => setCursorRow(each.row)}>
          {band > 74 ? kindText(each.kind) : stampText('t', each.eps, each.n)}
        </button>
      ))}
    </div>
  );
}
