// SPDX-License-Identifier: BSD-3-Clause
// The small symbol of something that can be placed.
import { imagined } from './actions';
import { BlockInside } from './BlockDrawing';
import type { Item } from './state';

export function ItemMark({ item }: { item: Item }) {
  if (item.sort === 'element') return <span className="item-mark is-element">{item.row.kind}</span>;
  if (item.sort === 'submodel') return <span className="item-mark is-submodel" />;
  const label = item.row.kind === 'constant' ? '1' : item.row.kind === 'gain' ? 'k' : item.row.kind === 'sum' ? '+−' : '';
  return (
    <span className="item-mark is-block">
      <BlockInside symbol={{ ...imagined(item, '', { x: 0, y: 0 }), label, width: 30, height: 22 }} />
    </span>
  );
}
