// SPDX-License-Identifier: BSD-3-Clause
// The drawing from far away, where nothing but lines and places can be told apart: one picture, painted anew whenever the paper moves. Thousands
// of symbols move as easily as ten; elements of the page would not.
import { useStoreApi } from '@xyflow/react';
import { memo, useEffect, useRef } from 'react';
import { arrowGeometry, bondGeometry } from '../geometry';
import type { Box, Line } from '../geometry';
import type { Boxes } from './BondLayer';
import type { BondView, LinkView, SymbolView } from './view';

type Props = { symbols: SymbolView[]; bonds: BondView[]; links: LinkView[]; boxes: Boxes; selected: string[] };

const readable = 0.2; // from this size on, letters and half arrows are drawn

export const FarLayer = memo(function FarLayer({ symbols, bonds, links, boxes, selected }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const store = useStoreApi();
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    let request = 0;
    const paint = (): void => {
      request = 0;
      const { transform, width, height } = store.getState();
      paintAll(element, { symbols, bonds, links, boxes, selected }, transform, width, height);
    };
    const soon = (): void => {
      if (request === 0) request = requestAnimationFrame(paint);
    };
    paint();
    let last = store.getState();
    const stop = store.subscribe((state) => {
      if (state.transform !== last.transform || state.width !== last.width || state.height !== last.height) soon();
      last = state;
    });
    const theme = window.matchMedia('(prefers-color-scheme: dark)');
    theme.addEventListener('change', soon);
    return () => {
      stop();
      theme.removeEventListener('change', soon);
      cancelAnimationFrame(request);
    };
  }, [store, symbols, bonds, links, boxes, selected]);
  return <canvas ref={canvas} className="far-layer" aria-hidden="true" />;
});

const paintAll = (element: HTMLCanvasElement, { symbols, bonds, links, boxes, selected }: Props, [x, y, zoom]: [number, number, number], width: number, height: number): void => {
  const context = element.getContext('2d');
  if (!context) return;
  const ratio = window.devicePixelRatio || 1;
  if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) {
    element.width = Math.round(width * ratio);
    element.height = Math.round(height * ratio);
  }
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, element.width, element.height);
  context.setTransform(zoom * ratio, 0, 0, zoom * ratio, x * ratio, y * ratio);
  const seen = { left: -x / zoom - 100, top: -y / zoom - 100, right: (width - x) / zoom + 100, bottom: (height - y) / zoom + 100 };
  const isSeen = (box: Box): boolean => box.x > seen.left && box.x < seen.right && box.y > seen.top && box.y < seen.bottom;
  paintLines(context, bonds, links, boxes, zoom, isSeen, colour);
  paintSymbols(context, symbols, boxes, new Set(selected), zoom, isSeen, colour);
};

type Paint = CanvasRenderingContext2D;
const add = (paint: Paint, line: Line): void => {
  paint.moveTo(line.from.x, line.from.y);
  paint.lineTo(line.to.x, line.to.y);
};

const paintLines = (paint: Paint, bonds: BondView[], links: LinkView[], boxes: Boxes, zoom: number, isSeen: (box: Box) => boolean, colour: (name: string) => string): void => {
  const thin = Math.max(1.5, 0.9 / zoom);
  const layers: { colour: string; width: number; lines: Line[] }[] = [];
  const layer = (name: string, width: number): Line[] => {
    const lines: Line[] = [];
    layers.push({ colour: colour(name), width, lines });
    return lines;
  };
  const signals = layer('--signal', thin * 0.8), actives = layer('--label', thin * 0.8), off = layer('--off', thin), on = layer('--symbol', thin);
  const strokesOff = layer('--off', thin * 2), strokes = layer('--symbol', thin * 2), derivative = layer('--derivative', thin * 2.4), conflict = layer('--conflict', thin * 2.4);
  for (const { link, aside } of links) {
    const from = boxes.get(link.from), to = boxes.get(link.to);
    if (from && to && (isSeen(from) || isSeen(to))) (link.sort === 'active' ? actives : signals).push(arrowGeometry(from, to, 'signal', aside).line);
  }
  for (const { bond, stroke, isOff, isDerivative, isConflict } of bonds) {
    const tail = boxes.get(bond.tail), head = boxes.get(bond.head);
    if (!tail || !head || !(isSeen(tail) || isSeen(head))) continue;
    const drawn = bondGeometry(tail, head, bond.lane, bond.lanes, stroke);
    (isOff ? off : on).push(drawn.line);
    if (zoom < readable && !isDerivative && !isConflict) continue;
    (isOff ? off : on).push(drawn.barb);
    if (drawn.stroke) (isConflict ? conflict : isDerivative ? derivative : isOff ? strokesOff : strokes).push(drawn.stroke);
  }
  for (const each of layers) {
    if (each.lines.length === 0) continue;
    paint.beginPath();
    for (const line of each.lines) add(paint, line);
    paint.strokeStyle = each.colour;
    paint.lineWidth = each.width;
    paint.stroke();
  }
};

const paintSymbols = (
  paint: Paint, symbols: SymbolView[], boxes: Boxes, selected: Set<string>, zoom: number, isSeen: (box: Box) => boolean, colour: (name: string) => string,
): void => {
  const colours = { symbol: colour('--symbol'), off: colour('--off'), signal: colour('--signal'), on: colour('--on'), selected: colour('--selected'), error: colour('--error') };
  const isReadable = zoom >= readable;
  paint.textAlign = 'center';
  paint.textBaseline = 'middle';
  paint.font = `700 ${Math.min(30, 8 / zoom)}px serif`;
  for (const { symbol, isOn, problem } of symbols) {
    const box = boxes.get(symbol.name);
    if (!box || !isSeen(box)) continue;
    const { x, y, width, height } = box;
    paint.fillStyle = symbol.sort === 'signal' ? colours.signal : isOn ? colours.symbol : colours.off;
    if (symbol.sort === 'element' || symbol.sort === 'junction') {
      if (isReadable) paint.fillText(symbol.kind, x, y + 1);
      else paint.fillRect(x - width / 2, y - height / 3, width, (height * 2) / 3);
      if (symbol.machine !== '') outline(paint, box, 0, isOn ? colours.on : colours.off, 1.5 / zoom);
    } else outline(paint, box, 0, symbol.sort === 'machine' ? colours.on : (paint.fillStyle as string), 1 / zoom);
    if (problem !== '') outline(paint, box, 4, colours.error, 1.5 / zoom);
    if (selected.has(symbol.name)) outline(paint, box, 3 / zoom, colours.selected, 1.5 / zoom);
  }
};

const outline = (paint: Paint, { x, y, width, height }: Box, away: number, colour: string, lineWidth: number): void => {
  paint.strokeStyle = colour;
  paint.lineWidth = lineWidth;
  paint.strokeRect(x - width / 2 - away, y - height / 2 - away, width + 2 * away, height + 2 * away);
};
