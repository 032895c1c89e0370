// SPDX-License-Identifier: BSD-3-Clause
// The lines of the page are those of the library: `diagram_geometry_test --print` writes cases of its own, and HYBRSIM_GEOMETRY names their file
// (tests/studio/geometry_test.sh).
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bondGeometry } from './geometry';
import type { Box, Point, StrokePlace } from './geometry';

type Pair = [number, number];
type Four = [number, number, number, number];
type Case = {
  tail: Four; head: Four; lane: number; lanes: number; stroke: StrokePlace;
  from: Pair; to: Pair; barb: Pair; strokeFrom: Pair; strokeTo: Pair; derivative: Pair; effort: Pair; flow: Pair;
};

const file = process.env.HYBRSIM_GEOMETRY;
const box = ([x, y, width, height]: Four): Box => ({ x, y, width, height });
const near = (point: Point, [x, y]: Pair): void => {
  expect(point.x).toBeCloseTo(x, 9);
  expect(point.y).toBeCloseTo(y, 9);
};

describe.runIf(file)('the geometry of the library', () => {
  it('is that of the page, for every case', () => {
    const cases = JSON.parse(readFileSync(file!, 'utf8')) as Case[];
    expect(cases.length).toBeGreaterThan(100);
    for (const each of cases) {
      const bond = bondGeometry(box(each.tail), box(each.head), each.lane, each.lanes, each.stroke);
      near(bond.line.from, each.from);
      near(bond.line.to, each.to);
      near(bond.barb.to, each.barb);
      near(bond.effortLabel, each.effort);
      near(bond.flowLabel, each.flow);
      if (each.stroke === 'unknown') continue;
      near(bond.stroke!.from, each.strokeFrom);
      near(bond.stroke!.to, each.strokeTo);
      near(bond.derivativeLabel!, each.derivative);
    }
  });
});
