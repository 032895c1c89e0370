// SPDX-License-Identifier: BSD-3-Clause
// The whole drawing in a corner, when not all of it is seen. One path for all symbols: it costs the same for ten and for thousands.
import { useReactFlow, useStore } from '@xyflow/react';
import { memo, useMemo } from 'react';
import type { PointerEvent } from 'react';
import type { Boxes } from './BondLayer';

const width = 168;
const height = 112;
const margin = 60;

export const SmallMap = memo(function SmallMap({ boxes }: { boxes: Boxes }) {
  const flow = useReactFlow();
  const bounds = useMemo(() => {
    let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
    for (const box of boxes.values()) {
      left = Math.min(left, box.x - box.width / 2);
      right = Math.max(right, box.x + box.width / 2);
      top = Math.min(top, box.y - box.height / 2);
      bottom = Math.max(bottom, box.y + box.height / 2);
    }
    return { left: left - margin, top: top - margin, width: right - left + 2 * margin, height: bottom - top + 2 * margin };
  }, [boxes]);
  const isNeeded = useStore((state) => {
    const [x, y, zoom] = state.transform;
    const seenLeft = -x / zoom, seenTop = -y / zoom;
    const slack = margin - 8;
    return boxes.size > 3 && (bounds.left + slack < seenLeft || bounds.top + slack < seenTop || bounds.left + bounds.width - slack > seenLeft + state.width / zoom || bounds.top + bounds.height - slack > seenTop + state.height / zoom);
  });
  if (!isNeeded) return null;
  const scale = Math.min(width / bounds.width, height / bounds.height);
  const path = [...boxes.values()].map((box) => {
    const w = Math.max(box.width, 3 / scale), h = Math.max(box.height, 3 / scale);
    return `M${Math.round(box.x - w / 2)} ${Math.round(box.y - h / 2)}h${Math.round(w)}v${Math.round(h)}h${-Math.round(w)}z`;
  }).join('');
  const go = (event: PointerEvent<SVGSVGElement>): void => {
    if (event.buttons !== 1) return;
    const rectangle = event.currentTarget.getBoundingClientRect();
    const x = bounds.left + bounds.width / 2 + (event.clientX - rectangle.left - width / 2) / scale;
    const y = bounds.top + bounds.height / 2 + (event.clientY - rectangle.top - height / 2) / scale;
    void flow.setCenter(x, y, { zoom: flow.getZoom(), duration: 0 });
  };
  const seen = { x: bounds.left + bounds.width / 2 - width / 2 / scale, y: bounds.top + bounds.height / 2 - height / 2 / scale };
  return (
    <svg
      className="small-map nopan nodrag nowheel" width={width} height={height} viewBox={`${seen.x} ${seen.y} ${width / scale} ${height / scale}`} role="img" aria-label="The whole drawing"
      onPointerDown={(event) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={go}
    >
      <path className="small-map-symbols" d={path} />
      <Seen />
    </svg>
  );
});

function Seen() {
  const x = useStore((state) => -state.transform[0] / state.transform[2]);
  const y = useStore((state) => -state.transform[1] / state.transform[2]);
  const w = useStore((state) => state.width / state.transform[2]);
  const h = useStore((state) => state.height / state.transform[2]);
  return <rect className="small-map-seen" x={x} y={y} width={w} height={h} />;
}
