// SPDX-License-Identifier: BSD-3-Clause
// Above all panes: the cursor, what the pointer is at, and the stretch that is being zoomed into. Drag zooms, the wheel zooms at the pointer, a double
// click shows all; a click places the cursor, near an event it opens the instant.
import { useEffect, useRef, useState, type PointerEvent, type ReactNode } from 'react';
import { useStudio } from '../../parts';
import { lookEngine } from '../engine';
import { setLookView, useLookView } from '../view';
import type { ShownRun } from './picture';
import { moved, within, zoomed, type TimeMap, type View } from './timeMap';

const nearEvent = 6; // pixels
const leastDrag = 5;
const wheelFactor = 1.0018; // per pixel of the wheel

type Props = { map: TimeMap; whole: View; runs: ShownRun[]; children: ReactNode };

export function Overlay({ map, whole, runs, children }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const pressed = useRef<number | null>(null);
  const placeOf = (event: { clientX: number }) => event.clientX - (element.current?.getBoundingClientRect().left ?? 0);
  const isOnPaper = (x: number) => x >= map.left - 4 && x <= map.right + 4;
  useWheel(element, map, whole);

  const onDown = (event: PointerEvent) => {
    const x = placeOf(event);
    if (event.button !== 0 || !isOnPaper(x) || (event.target as Element).closest('button, .plot-head') !== null) return;
    pressed.current = x;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  };
  const onMove = (event: PointerEvent) => {
    const x = placeOf(event);
    if (pressed.current !== null && Math.abs(x - pressed.current) >= leastDrag) setDrag({ from: pressed.current, to: x });
    setLookView({ hover: isOnPaper(x) ? map.at(Math.min(Math.max(x, map.left), map.right)) : null });
  };
  const onUp = (event: PointerEvent) => {
    const begin = pressed.current;
    pressed.current = null;
    setDrag(null);
    if (begin === null) return;
    const x = Math.min(Math.max(placeOf(event), map.left), map.right);
    if (Math.abs(x - begin) < leastDrag) return placeCursor(map, runs, x);
    const [from, to] = [map.at(Math.min(begin, x)).time, map.at(Math.max(begin, x)).time];
    if (to > from) setLookView({ view: within({ from, to }, whole) });
  };
  return (
    <div ref={element} className="plot-overlay" onPointerDown={onDown} onPointerMove={onMove} onPointerUp={onUp}
      onPointerLeave={() => setLookView({ hover: null })} onDoubleClick={(event) => { if (isOnPaper(placeOf(event)) && (event.target as Element).closest('button') === null) setLookView({ view: null }); }}>
      {children}
      <Lines map={map} />
      {drag !== null && <div className="plot-selection" style={{ left: Math.min(drag.from, drag.to), width: Math.abs(drag.to - drag.from) }} />}
    </div>
  );
}

const placeCursor = (map: TimeMap, runs: ShownRun[], x: number): void => {
  const studio = useStudio.getState();
  const { time, row } = map.at(x);
  if (row !== null) return studio.setCursorRow(row);
  const grid = runs.find((run) => run.isCurrent)?.recording.grid;
  const { begin, end } = grid?.groupsWithin(map.at(x - nearEvent).time, map.at(x + nearEvent).time) ?? { begin: 0, end: 0 };
  const nearest = end > begin && grid !== undefined ? (grid.times[grid.groupFirst[begin] as number] as number) : null;
  if (nearest === null) return studio.setCursorTime(time);
  openAt(nearest, () => studio.setCursorTime(nearest));
};

// Opens the instant of that very time.
export const openAt = (time: number, otherwise: () => void): void => {
  const instants = lookEngine().instants();
  if (instants === null) return otherwise();
  void instants.before(time).then(async (index) => {
    const instant = await instants.at(index);
    if (instant?.time === time) {
      useStudio.getState().setCursorInstant(index);
      setLookView({ tab: 'instant', isSideOpen: true });
    } else otherwise();
  }).catch(otherwise);
};

// React listens to wheels without being able to keep the page from scrolling.
const useWheel = (element: React.RefObject<HTMLDivElement | null>, map: TimeMap, whole: View) => {
  const latest = useRef({ map, whole });
  latest.current = { map, whole };
  useEffect(() => {
    const target = element.current;
    if (target === null) return undefined;
    const onWheel = (event: WheelEvent) => {
      const { map, whole } = latest.current;
      const x = event.clientX - target.getBoundingClientRect().left;
      if (x < map.left) return; // beside the paper it scrolls
      event.preventDefault();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) setLookView({ view: moved(map.view, whole, (event.deltaX || event.deltaY) / 800) });
      else setLookView({ view: viewOrWhole(zoomed(map.view, whole, map.at(x).time, wheelFactor ** event.deltaY), whole) });
    };
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, [element]);
};

export const viewOrWhole = (view: View, whole: View): View | null => (view.from <= whole.from && view.to >= whole.to ? null : view);

function Lines({ map }: { map: TimeMap }) {
  const hover = useLookView((state) => state.hover);
  const cursor = useStudio((state) => state.cursor);
  const section = map.section;
  const isInside = section !== null && cursor !== null && cursor.row >= section.opened.first && cursor.row < section.opened.first + section.opened.count;
  const x = cursor === null ? null : map.acrossBehind(cursor.time);
  return (
    <>
      {hover !== null && hover.row === null && <div className="plot-hover" style={{ left: map.across(hover.time) }} />}
      {section !== null && isInside && <div className="plot-band" style={{ left: map.bandMiddle(cursor.row) - section.band / 2, width: section.band }} />}
      {x !== null && !isInside && x >= map.left && x <= map.right && <div className="plot-cursor" style={{ left: x }} />}
    </>
  );
}
