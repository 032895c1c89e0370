// SPDX-License-Identifier: BSD-3-Clause
// What is drawn for a moment only: lines of symbols that stand in line, and the bond that is being drawn.
import { bondGeometry } from '../geometry';
import type { Boxes } from './BondLayer';
import { useCanvas } from './state';

export function Guides() {
  const guides = useCanvas((state) => state.guides);
  if (guides.length === 0) return null;
  return (
    <svg className="guides" width="1" height="1" aria-hidden="true">
      {guides.map((guide) => (
        <path key={`${guide.isUpright} ${guide.at}`} d={guide.isUpright ? `M${guide.at} ${guide.from - 24}V${guide.to + 24}` : `M${guide.from - 24} ${guide.at}H${guide.to + 24}`} />
      ))}
    </svg>
  );
}

export function PendingBond({ boxes }: { boxes: Boxes }) {
  const connecting = useCanvas((state) => state.connecting);
  if (!connecting) return null;
  const from = boxes.get(connecting.from);
  const to = (connecting.to === null ? undefined : boxes.get(connecting.to)) ?? { ...connecting.at, width: 0, height: 0 };
  if (!from) return null;
  const { joining } = connecting;
  const isTurned = joining !== null && joining.kind !== 'none' && joining.tail !== connecting.from;
  const drawn = isTurned ? bondGeometry(to, from) : bondGeometry(from, to);
  const isBond = joining === null || joining.kind === 'bond' || joining.kind === 'none';
  return (
    <svg className={`pending-bond${joining?.kind === 'none' ? ' is-refused' : ''}${isBond ? '' : ' is-signal'}`} width="1" height="1" aria-hidden="true">
      <path d={`M${drawn.line.from.x} ${drawn.line.from.y}L${drawn.line.to.x} ${drawn.line.to.y}`} />
      {isBond && <path d={`M${drawn.barb.from.x} ${drawn.barb.from.y}L${drawn.barb.to.x} ${drawn.barb.to.y}`} />}
    </svg>
  );
}
