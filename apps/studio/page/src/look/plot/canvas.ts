// SPDX-License-Identifier: BSD-3-Clause
// Shapes on a canvas.
import { diamond, font, hatchDistance, markWidth, type Palette, type Shape } from './shapes';

export const paint = (context: CanvasRenderingContext2D, shapes: Shape[], palette: Palette): void => {
  for (const shape of shapes) {
    context.save();
    paintShape(context, shape, palette);
    context.restore();
  }
};

const paintShape = (context: CanvasRenderingContext2D, shape: Shape, palette: Palette): void => {
  switch (shape.kind) {
    case 'line': return paintLine(context, shape, palette);
    case 'mark': return paintMark(context, shape, palette);
    case 'box': return paintBox(context, shape, palette);
    case 'words':
      context.font = `${shape.isBold ? '600 ' : ''}${shape.size}px ${font}`;
      context.textAlign = shape.anchor === 'middle' ? 'center' : shape.anchor;
      context.fillStyle = palette(shape.colour);
      context.fillText(shape.text, shape.x, shape.y);
      return;
    case 'clip':
      context.beginPath();
      context.rect(shape.x, shape.y, shape.width, shape.height);
      context.clip();
      paint(context, shape.shapes, palette);
  }
};

const paintLine = (context: CanvasRenderingContext2D, line: Shape & { kind: 'line' }, palette: Palette): void => {
  const { points } = line;
  context.strokeStyle = palette(line.colour);
  context.lineWidth = line.width;
  context.lineJoin = 'round';
  context.globalAlpha = line.opacity ?? 1;
  if (line.dash) context.setLineDash(line.dash);
  context.beginPath();
  let isDown = false;
  for (let index = 0; index < points.length; index += 2) {
    const [x, y] = [points[index] as number, points[index + 1] as number];
    if (Number.isNaN(x) || Number.isNaN(y)) isDown = false;
    else if (isDown) context.lineTo(x, y);
    else {
      context.moveTo(x, y);
      isDown = true;
    }
  }
  context.stroke();
};

const paintMark = (context: CanvasRenderingContext2D, mark: Shape & { kind: 'mark' }, palette: Palette): void => {
  context.strokeStyle = palette(mark.colour);
  context.fillStyle = palette(mark.sort === 'full' ? mark.colour : '--paper');
  context.lineWidth = markWidth;
  context.beginPath();
  if (mark.sort === 'diamond') for (const [x, y] of diamond(mark.x, mark.y, mark.size)) context.lineTo(x, y);
  else context.arc(mark.x, mark.y, mark.size / 2, 0, 2 * Math.PI);
  context.closePath();
  if (mark.sort === 'mythical') context.setLineDash([2, 2]);
  context.fill();
  context.stroke();
};

const paintBox = (context: CanvasRenderingContext2D, box: Shape & { kind: 'box' }, palette: Palette): void => {
  context.globalAlpha = box.opacity ?? 1;
  if (!box.hatch) {
    context.fillStyle = palette(box.fill);
    context.fillRect(box.x, box.y, box.width, box.height);
    return;
  }
  context.beginPath();
  context.rect(box.x, box.y, box.width, box.height);
  context.clip();
  context.strokeStyle = palette(box.fill);
  context.lineWidth = 1;
  context.beginPath();
  for (let offset = -box.height; offset < box.width; offset += hatchDistance) {
    context.moveTo(box.x + offset, box.y + box.height);
    context.lineTo(box.x + offset + box.height, box.y);
  }
  context.stroke();
};
