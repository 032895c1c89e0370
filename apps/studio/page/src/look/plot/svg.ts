// SPDX-License-Identifier: BSD-3-Clause
// Shapes as a file: SVG that can be searched, restyled and edited.
import { diamond, font, hatchDistance, markWidth, type Palette, type Shape } from './shapes';

const round = (value: number): string => String(Math.round(value * 100) / 100);
const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);

export const writeSvg = (width: number, height: number, shapes: Shape[], palette: Palette, title: string): string => {
  const writer = new Writer(palette);
  const body = writer.shapes(shapes);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${round(height)}" viewBox="0 0 ${round(width)} ${round(height)}" font-family="${escape(font)}">`,
    `<title>${escape(title)}</title>`,
    `<defs>${writer.definitions.join('')}</defs>`,
    `<rect width="100%" height="100%" fill="${palette('--paper')}"/>`,
    body,
    '</svg>',
    '',
  ].join('\n');
};

class Writer {
  readonly definitions: string[] = [];
  private clips = 0;
  private readonly hatches = new Set<string>();

  constructor(private readonly palette: Palette) {}

  shapes(shapes: Shape[]): string {
    return shapes.map((shape) => this.shape(shape)).join('\n');
  }

  private shape(shape: Shape): string {
    switch (shape.kind) {
      case 'line': return this.line(shape);
      case 'mark': return this.mark(shape);
      case 'box': return this.box(shape);
      case 'words': {
        const weight = shape.isBold ? ' font-weight="600"' : '';
        return `<text x="${round(shape.x)}" y="${round(shape.y)}" font-size="${shape.size}"${weight} text-anchor="${shape.anchor}" fill="${this.palette(shape.colour)}">${escape(shape.text)}</text>`;
      }
      case 'clip': {
        const id = `clip${++this.clips}`;
        this.definitions.push(`<clipPath id="${id}"><rect x="${round(shape.x)}" y="${round(shape.y)}" width="${round(shape.width)}" height="${round(shape.height)}"/></clipPath>`);
        return `<g clip-path="url(#${id})">\n${this.shapes(shape.shapes)}\n</g>`;
      }
    }
  }

  private line(line: Shape & { kind: 'line' }): string {
    let path = '';
    let isDown = false;
    for (let index = 0; index < line.points.length; index += 2) {
      const [x, y] = [line.points[index] as number, line.points[index + 1] as number];
      const isThere = !Number.isNaN(x) && !Number.isNaN(y);
      if (isThere) path += `${isDown ? 'L' : 'M'}${round(x)} ${round(y)}`;
      isDown = isThere;
    }
    const dash = line.dash ? ` stroke-dasharray="${line.dash.join(' ')}"` : '';
    const opacity = line.opacity === undefined ? '' : ` opacity="${line.opacity}"`;
    return `<path d="${path}" fill="none" stroke="${this.palette(line.colour)}" stroke-width="${line.width}" stroke-linejoin="round"${dash}${opacity}/>`;
  }

  private mark(mark: Shape & { kind: 'mark' }): string {
    const paint = `fill="${this.palette(mark.sort === 'full' ? mark.colour : '--paper')}" stroke="${this.palette(mark.colour)}" stroke-width="${markWidth}"`;
    if (mark.sort === 'diamond') return `<polygon points="${diamond(mark.x, mark.y, mark.size).map((corner) => corner.map(round).join(',')).join(' ')}" ${paint}/>`;
    return `<circle cx="${round(mark.x)}" cy="${round(mark.y)}" r="${round(mark.size / 2)}" ${paint}${mark.sort === 'mythical' ? ' stroke-dasharray="2 2"' : ''}/>`;
  }

  private box(box: Shape & { kind: 'box' }): string {
    const place = `x="${round(box.x)}" y="${round(box.y)}" width="${round(box.width)}" height="${round(box.height)}"`;
    const opacity = box.opacity === undefined ? '' : ` opacity="${box.opacity}"`;
    return `<rect ${place} fill="${box.hatch ? this.hatch(this.palette(box.fill)) : this.palette(box.fill)}"${opacity}/>`;
  }

  private hatch(colour: string): string {
    const id = `hatch${colour.replace(/[^0-9a-z]/gi, '')}`;
    if (!this.hatches.has(id)) {
      const side = round(hatchDistance / Math.SQRT2);
      this.definitions.push(`<pattern id="${id}" width="${side}" height="${side}" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="${side}" stroke="${colour}" stroke-width="1"/></pattern>`);
      this.hatches.add(id);
    }
    return `url(#${id})`;
  }
}
