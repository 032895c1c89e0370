// SPDX-License-Identifier: BSD-3-Clause
// A pane's axes and grid by uPlot, with our own shapes below and above them.
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { paint } from './canvas';
import { readPalette, useTheme } from './palette';
import { textSize, timeTicks, type PanePicture } from './picture';
import { font } from './shapes';
import type { TimeMap } from './timeMap';

export const frameTop = 6; // pixels above and below the paper
export const frameBottom = 6;

type Props = { picture: PanePicture; map: TimeMap; width: number; height: number };

export function Frame(props: Props) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const theme = useTheme();

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const made = new uPlot(optionsOf(latest), [[0, 1], [null, null]], element);
    chart.current = made;
    return () => {
      chart.current = null;
      made.destroy();
    };
  }, [theme]);
  useEffect(() => {
    const made = chart.current;
    if (made === null) return;
    if (made.width !== props.width || made.height !== props.height) made.setSize({ width: props.width, height: props.height });
    made.setData([[0, 1], [null, null]]); // all scales anew
  }, [props]);
  return <div className="plot-frame" ref={host} style={{ height: props.height }} />;
}

const optionsOf = (latest: { current: Props }): uPlot.Options => {
  const palette = readPalette();
  const onCanvas = (chart: uPlot, shapes: PanePicture['above']) => {
    chart.ctx.save();
    chart.ctx.scale(devicePixelRatio, devicePixelRatio);
    paint(chart.ctx, shapes, palette);
    chart.ctx.restore();
  };
  const axis = { stroke: palette('--text-soft'), font: `${textSize}px ${font}`, grid: { stroke: palette('--grid'), width: 1 } };
  const { map, width, height } = latest.current;
  return {
    width, height,
    padding: [frameTop, Math.max(width - map.right, 0), frameBottom, 0],
    legend: { show: false },
    cursor: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    scales: {
      x: { time: false, range: () => [latest.current.map.left, latest.current.map.right] },
      y: { range: () => [latest.current.picture.range.least, latest.current.picture.range.greatest] },
    },
    series: [{}, { paths: () => null, points: { show: false } }],
    axes: [
      { ...axis, size: 0, ticks: { show: false }, splits: () => timeTicks(latest.current.map).places, values: (_, splits) => splits.map(() => '') },
      { ...axis, size: map.left, gap: 4, ticks: { stroke: palette('--line-strong'), size: 4, width: 1 }, border: { show: true, stroke: palette('--line-strong'), width: 1 },
        splits: () => latest.current.picture.ticks.places, values: () => latest.current.picture.ticks.texts },
    ],
    hooks: {
      drawClear: [(chart) => onCanvas(chart, latest.current.picture.below)],
      draw: [(chart) => onCanvas(chart, latest.current.picture.above)],
    },
  };
};
