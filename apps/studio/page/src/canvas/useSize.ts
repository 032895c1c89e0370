// SPDX-License-Identifier: BSD-3-Clause
// What is seen of the drawing when its pane becomes larger or smaller: all of it, where all was seen; else what was in the middle.
import type { ReactFlowInstance } from '@xyflow/react';
import { useEffect } from 'react';
import type { RefObject } from 'react';
import { drawnBounds, fit, fittedViewport } from './actions';
import { isAllSeen, keptMiddle } from './wholeSeen';

const isNear = (one: number, other: number): boolean => Math.abs(one - other) < 0.5;

export const useSize = (element: RefObject<HTMLDivElement | null>, flow: ReactFlowInstance): void => {
  useEffect(() => {
    const pane = element.current;
    if (!pane || typeof ResizeObserver === 'undefined') return undefined;
    let before = pane.getBoundingClientRect();
    const watcher = new ResizeObserver(() => {
      const now = pane.getBoundingClientRect();
      const seen = flow.getViewport();
      const whole = fittedViewport(before.width, before.height);
      const wasWhole = isNear(seen.x, whole.x) && isNear(seen.y, whole.y) && Math.abs(seen.zoom - whole.zoom) < 1e-3;
      const bounds = drawnBounds();
      const next = keptMiddle(seen, before, now);
      const isLost = bounds !== null && isAllSeen(bounds, seen, before) && !isAllSeen(bounds, next, now);
      if (wasWhole || isLost) fit();
      else if (before.width > 0) void flow.setViewport(next);
      before = now;
    });
    watcher.observe(pane);
    return () => watcher.disconnect();
  }, [element, flow]);
};
