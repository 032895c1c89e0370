// SPDX-License-Identifier: BSD-3-Clause
// Shapes on a canvas of their own, as sharp as the screen is.
import { useEffect, useRef } from 'react';
import { paint } from './canvas';
import { readPalette, useTheme } from './palette';
import type { Shape } from './shapes';

export function Drawing({ shapes, width, height }: { shapes: Shape[]; width: number; height: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || canvas.current === null) return;
    const ratio = devicePixelRatio;
    canvas.current.width = Math.round(width * ratio);
    canvas.current.height = Math.round(height * ratio);
    context.scale(ratio, ratio);
    paint(context, shapes, readPalette());
  }, [shapes, width, height, theme]);
  return <canvas ref={canvas} style={{ display: 'block', width, height }} aria-hidden="true" />;
}
