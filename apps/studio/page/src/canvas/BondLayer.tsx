// SPDX-License-Identifier: BSD-3-Clause
// The bonds, active bonds and signals of the level that may be seen.
import { memo } from 'react';
import type { MouseEvent } from 'react';
import { arrowGeometry, bondGeometry, labelAnchor, measures } from '../geometry';
import type { Box, Line } from '../geometry';
import { isSeen, useSeen } from './seen';
import type { BondView, LinkView } from './view';

export type Boxes = Map<string, Box>;
type Props = {
  bonds: BondView[];
  links: LinkView[];
  boxes: Boxes;
  selected: string[];
  onBond: (key: string, event: MouseEvent) => void;
  onBondMenu: (key: string, event: MouseEvent) => void;
};

const pathOf = (line: Line): string => `M${short(line.from.x)} ${short(line.from.y)}L${short(line.to.x)} ${short(line.to.y)}`;
const short = (value: number): number => Math.round(value * 100) / 100;

export const BondLayer = memo(function BondLayer({ bonds, links, boxes, selected, onBond, onBondMenu }: Props) {
  const marked = new Set(selected);
  const seen = useSeen();
  return (
    <svg className="bond-layer" width="1" height="1">
      {links.map(({ key, link, aside }) => {
        const from = boxes.get(link.from), to = boxes.get(link.to);
        return from && to && isSeen(seen, from, to) ? <LinkDrawing key={key} view={link} aside={aside} fx={from.x} fy={from.y} fw={from.width} fh={from.height} tx={to.x} ty={to.y} tw={to.width} th={to.height} /> : null;
      })}
      {bonds.map((view) => {
        const tail = boxes.get(view.bond.tail), head = boxes.get(view.bond.head);
        return tail && head && isSeen(seen, tail, head) ? (
          <BondDrawing
            key={view.key} view={view} isSelected={marked.has(view.key)} onBond={onBond} onBondMenu={onBondMenu}
            fx={tail.x} fy={tail.y} fw={tail.width} fh={tail.height} tx={head.x} ty={head.y} tw={head.width} th={head.height}
          />
        ) : null;
      })}
    </svg>
  );
});

// Places one by one, so that a bond whose symbols stay is not drawn again.
type Ends = { fx: number; fy: number; fw: number; fh: number; tx: number; ty: number; tw: number; th: number };
const boxesOf = (ends: Ends): [Box, Box] => [
  { x: ends.fx, y: ends.fy, width: ends.fw, height: ends.fh },
  { x: ends.tx, y: ends.ty, width: ends.tw, height: ends.th },
];

type BondProps = Ends & { view: BondView; isSelected: boolean; onBond: Props['onBond']; onBondMenu: Props['onBondMenu'] };
const BondDrawing = memo(function BondDrawing({ view, isSelected, onBond, onBondMenu, ...ends }: BondProps) {
  const { bond } = view;
  const [tail, head] = boxesOf(ends);
  const drawn = bondGeometry(tail, head, bond.lane, bond.lanes, view.stroke);
  const names = ['bond', isSelected ? 'is-selected' : '', view.isOff ? 'is-off' : '', view.problem ? 'has-problem' : ''];
  const causality = view.isConflict ? 'is-conflict' : view.isDerivative ? 'is-derivative' : '';
  const width = view.power >= 0 ? measures.bondWidth + 6 * Math.sqrt(view.power) : undefined;
  const named = bond.name.includes('->') ? '' : bond.name;
  return (
    <g
      className={names.filter(Boolean).join(' ')}
      data-bond={view.key}
      data-stroke={view.stroke}
      role="button"
      aria-label={`bond ${bond.tail} to ${bond.head}${view.problem ? `: ${view.problem}` : ''}`}
      onClick={(event) => onBond(view.key, event)}
      onContextMenu={(event) => onBondMenu(view.key, event)}
    >
      {view.problem !== '' && <title>{view.problem}</title>}
      <path className="bond-hit" d={pathOf(drawn.line)} />
      <path className="bond-line" d={pathOf(drawn.line)} style={width === undefined ? undefined : { strokeWidth: width }} />
      <path className="bond-barb" d={pathOf(drawn.barb)} />
      {drawn.stroke && <path className={`bond-stroke ${causality}`} d={pathOf(drawn.stroke)} />}
      {drawn.derivativeLabel && view.isDerivative && (
        <text className="bond-d" x={drawn.derivativeLabel.x} y={drawn.derivativeLabel.y}>
          d
        </text>
      )}
      {drawn.derivativeLabel && view.isConflict && (
        <text className="bond-d is-conflict" x={drawn.derivativeLabel.x} y={drawn.derivativeLabel.y}>
          !
        </text>
      )}
      {view.effort !== '' ? (
        <text className="bond-value" x={drawn.effortLabel.x} y={drawn.effortLabel.y} textAnchor={labelAnchor(drawn.line, -1)}>
          {view.effort}
        </text>
      ) : (
        named !== '' && (
          <text className="bond-name" x={drawn.effortLabel.x} y={drawn.effortLabel.y} textAnchor={labelAnchor(drawn.line, -1)}>
            {named}
          </text>
        )
      )}
      {view.flow !== '' && (
        <text className="bond-value" x={drawn.flowLabel.x} y={drawn.flowLabel.y} textAnchor={labelAnchor(drawn.line, 1)}>
          {view.flow}
        </text>
      )}
    </g>
  );
});

const LinkDrawing = memo(function LinkDrawing({ view, aside, ...ends }: Ends & { view: LinkView['link']; aside: number }) {
  const [from, to] = boxesOf(ends);
  const isActive = view.sort === 'active';
  const { line, head, label, sign } = arrowGeometry(from, to, isActive ? 'active' : 'signal', aside);
  const text = view.quantity;
  const title = view.sort === 'switch' ? `machine ${view.from} switches ${view.to}` : `${view.quantity ? `${view.from}.${view.quantity}` : view.from} is read by ${view.isGuard ? 'a guard of ' : ''}${view.to}${view.isGuard ? (view.isAPriori ? ', as it was before (−)' : ', as it is in the mode under examination (+)') : ''}`;
  const points = head.map((point) => `${short(point.x)},${short(point.y)}`).join(' ');
  return (
    <g className={`link is-${view.sort}${view.isGuard ? ' is-guard' : ''}`}>
      <title>{title}</title>
      <path className="bond-hit" d={pathOf(line)} />
      <path className="link-line" d={pathOf(line)} />
      {view.sort !== 'switch' && (isActive ? <polygon className="link-head" points={points} /> : <polyline className="link-head" points={points} />)}
      {text !== '' && (
        <text className="link-text" x={label.x} y={label.y} textAnchor={labelAnchor(line, -1)}>
          {text}
        </text>
      )}
      {view.isGuard && <text className="link-sign" x={sign.x} y={sign.y} textAnchor="middle">{view.isAPriori ? '−' : '+'}</text>}
    </g>
  );
});
