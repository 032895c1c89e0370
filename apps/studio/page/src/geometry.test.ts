// SPDX-License-Identifier: BSD-3-Clause
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { arrowAside, arrowGeometry, bondGeometry, flowSide, labelAnchor, measures } from './geometry';
import type { Box } from './geometry';

const box = (x: number, y: number, width = 20, height = 20): Box => ({ x, y, width, height });

describe('a bond', () => {
  it('keeps a gap of 4 pixels from both boxes', () => {
    expect(bondGeometry(box(0, 0), box(100, 0)).line).toEqual({ from: { x: 14, y: 0 }, to: { x: 86, y: 0 } });
    expect(bondGeometry(box(0, 0, 60, 20), box(0, 100)).line).toEqual({ from: { x: 0, y: 14 }, to: { x: 0, y: 86 } });
  });

  it('has its one barb below the line, whichever way power goes', () => {
    expect(bondGeometry(box(0, 0), box(100, 0)).barb.to).toEqual({ x: 86 - 13, y: 7 });
    expect(bondGeometry(box(100, 0), box(0, 0)).barb.to).toEqual({ x: 14 + 13, y: 7 });
  });

  it('has the barb of a vertical line to its right, whichever way power goes', () => {
    expect(bondGeometry(box(0, 0), box(0, 100)).barb.to).toEqual({ x: 7, y: 86 - 13 });
    expect(bondGeometry(box(0, 100), box(0, 0)).barb.to).toEqual({ x: 7, y: 14 + 13 });
  });

  it('has the flow on the side of the barb and the effort on the other', () => {
    const flat = bondGeometry(box(0, 0), box(100, 0));
    expect(flat.flowLabel).toEqual({ x: 50, y: 15 });
    expect(flat.effortLabel).toEqual({ x: 50, y: -13 });
    const upright = bondGeometry(box(0, 0), box(0, 100));
    expect(upright.flowLabel).toEqual({ x: 15, y: 50 });
    expect(upright.effortLabel).toEqual({ x: -13, y: 50 });
  });

  it('has its causal stroke across the end that is given the effort', () => {
    expect(bondGeometry(box(0, 0), box(100, 0), 0, 1, 'head').stroke).toEqual({ from: { x: 86, y: -9 }, to: { x: 86, y: 9 } });
    expect(bondGeometry(box(0, 0), box(100, 0), 0, 1, 'tail').stroke).toEqual({ from: { x: 14, y: -9 }, to: { x: 14, y: 9 } });
    expect(bondGeometry(box(0, 0), box(100, 0)).stroke).toBeNull();
  });

  it('lies beside the others between the same two symbols, whichever way they go', () => {
    const there = bondGeometry(box(0, 0, 40, 40), box(100, 0, 40, 40), 0, 2);
    const back = bondGeometry(box(100, 0, 40, 40), box(0, 0, 40, 40), 1, 2);
    expect(there.line.from.y).toBe(-8);
    expect(back.line.from.y).toBe(8);
    expect(there.line.from.x).toBe(24);
    expect(bondGeometry(box(0, 0, 40, 40), box(100, 0, 40, 40), 1, 3).line.from.y).toBe(0);
  });

  it('shrinks to nothing where its symbols touch, and is never turned round', () => {
    const near = bondGeometry(box(0, 0), box(22, 0));
    expect(near.line.from).toEqual(near.line.to);
    expect(near.line.from.x).toBe(11);
    const same = bondGeometry(box(0, 0), box(0, 0), 0, 1, 'head');
    for (const point of [same.line.from, same.line.to, same.barb.to, same.stroke!.from]) {
      expect(Number.isFinite(point.x) && Number.isFinite(point.y)).toBe(true);
    }
  });

  it('has its measures the same at every angle', () => {
    for (let angle = 0; angle < 360; angle += 7) {
      const at = { x: 200 * Math.cos((angle * Math.PI) / 180), y: 200 * Math.sin((angle * Math.PI) / 180) };
      const { line, barb, stroke } = bondGeometry(box(0, 0), box(at.x, at.y), 0, 1, 'head');
      expect(Math.hypot(barb.to.x - line.to.x, barb.to.y - line.to.y)).toBeCloseTo(Math.hypot(13, 7), 9);
      expect(Math.hypot(stroke!.to.x - stroke!.from.x, stroke!.to.y - stroke!.from.y)).toBeCloseTo(18, 9);
    }
  });
});

describe('the side of the flow', () => {
  it('is the same for both directions', () => {
    for (const u of [{ x: 1, y: 0 }, { x: 0, y: 1 }, { x: 0.6, y: 0.8 }, { x: -0.6, y: 0.8 }]) {
      const back = flowSide({ x: -u.x, y: -u.y });
      expect(flowSide(u).x).toBeCloseTo(back.x, 12);
      expect(flowSide(u).y).toBeCloseTo(back.y, 12);
      expect(flowSide(u).y).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('a full arrow', () => {
  it('has its tip at the head and two equal barbs', () => {
    const { head, line } = arrowGeometry(box(0, 0), box(100, 0), 'active');
    expect(head[1]).toEqual(line.to);
    expect(head[0]).toEqual({ x: 86 - measures.arrowBack, y: -measures.arrowAside });
    expect(head[2]).toEqual({ x: 86 - measures.arrowBack, y: measures.arrowAside });
  });
});

describe('arrows between the same two symbols', () => {
  it('lie beside each other, also against each other', () => {
    expect(arrowGeometry(box(0, 0), box(100, 0), 'signal', arrowAside(0, 2, 0)).line.to).toEqual({ x: 86, y: -measures.laneHalf });
    expect(arrowGeometry(box(100, 0), box(0, 0), 'signal', arrowAside(1, 2, 0)).line.from).toEqual({ x: 86, y: measures.laneHalf });
  });
});

describe('an arrow between two symbols with a bond', () => {
  it('lies beside the bond, on the side of the effort', () => {
    expect(arrowAside(0, 1, 0)).toBe(0);
    expect(arrowAside(0, 1, 1)).toBe(-10);
    expect(arrowAside(1, 2, 2)).toBeLessThan(arrowAside(0, 2, 2));
  });
});

describe('the measures', () => {
  const file = resolve('../../../src/diagram/geometry.def'); // the tests run in the page's folder
  it.runIf(existsSync(file))('are those of the library', () => {
    const rows = [...readFileSync(file, 'utf8').matchAll(/^MEASURE\((\w+), ([\d.]+)\)/gm)];
    const theirs = new Map(rows.map(([, name, value]) => [name!.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()), Number(value)]));
    for (const [name, value] of Object.entries(measures)) expect([name, theirs.get(name)]).toEqual([name, value]);
  });
});

describe('a label', () => {
  it('is centred above a level bond and stands clear of an upright one', () => {
    expect(labelAnchor({ from: { x: 0, y: 0 }, to: { x: 100, y: 0 } }, -1)).toBe('middle');
    expect(labelAnchor({ from: { x: 0, y: 0 }, to: { x: 0, y: 100 } }, 1)).toBe('start');
    expect(labelAnchor({ from: { x: 0, y: 0 }, to: { x: 0, y: 100 } }, -1)).toBe('end');
  });
});
