/* SPDX-License-Identifier: BSD-3-Clause
 * Half arrows and causal strokes. */
#include "diagram/geometry.h"

#include <math.h>

static HbgPoint along(HbgPoint from, HbgPoint direction, double length) {
  return (HbgPoint){from.x + length * direction.x, from.y + length * direction.y};
}

/* How far from the centre of the box, in `direction`, its border with the gap around it lies. */
static double reach(HbgBox box, HbgPoint direction) {
  const double half_width = box.width / 2 + hbg_measure_GAP, half_height = box.height / 2 + hbg_measure_GAP;
  const double across = fabs(direction.x) > 0 ? half_width / fabs(direction.x) : (double)INFINITY;
  const double down = fabs(direction.y) > 0 ? half_height / fabs(direction.y) : (double)INFINITY;
  return across < down ? across : down;
}

/* The unit vector from one box to the other; to the right where both have the same centre. */
static HbgPoint direction_of(HbgBox from, HbgBox to) {
  const double across = to.centre.x - from.centre.x, down = to.centre.y - from.centre.y;
  const double length = sqrt(across * across + down * down);
  return length > 0 ? (HbgPoint){across / length, down / length} : (HbgPoint){1, 0};
}

/* The side of the flow: below, and to the right of what stands upright, whatever the direction of power. */
static HbgPoint normal_of(HbgPoint u) {
  const HbgPoint n = {-u.y, u.x};
  const bool is_other = n.y < 0 || (!(n.y > 0) && n.x < 0);
  return is_other ? (HbgPoint){-n.x, -n.y} : n;
}

/* The piece of the way between the centres that is outside of both boxes, moved aside by `aside`. */
static HbgSegment line_between(HbgBox from, HbgBox to, HbgPoint u, HbgPoint n, double aside) {
  const double across = to.centre.x - from.centre.x, down = to.centre.y - from.centre.y;
  const double length = sqrt(across * across + down * down);
  double begin = reach(from, u), end = length - reach(to, u);
  if (end < begin) begin = end = (begin + end) / 2;
  return (HbgSegment){along(along(from.centre, u, begin), n, aside), along(along(from.centre, u, end), n, aside)};
}

HbgBondGeometry hbg_bond_geometry(HbgBox tail, HbgBox head, int32_t lane, int32_t lanes, HbgStrokePlace stroke) {
  const HbgPoint u = direction_of(tail, head), n = normal_of(u);
  const double aside = (2 * lane - (lanes - 1)) * hbg_measure_LANE_HALF;
  HbgBondGeometry bond = {.line = line_between(tail, head, u, n, aside), .normal = n};
  const HbgPoint middle = {(bond.line.from.x + bond.line.to.x) / 2, (bond.line.from.y + bond.line.to.y) / 2};
  bond.barb = along(along(bond.line.to, u, -hbg_measure_BARB_BACK), n, hbg_measure_BARB_ASIDE);
  bond.effort = along(middle, n, -hbg_measure_EFFORT_ASIDE);
  bond.flow = along(middle, n, hbg_measure_FLOW_ASIDE);
  const bool is_at_head = stroke == HBG_STROKE_AT_HEAD;
  const HbgPoint end = is_at_head ? bond.line.to : bond.line.from;
  const double half = stroke == HBG_STROKE_UNKNOWN ? 0 : hbg_measure_STROKE_HALF;
  bond.stroke = (HbgSegment){along(end, n, -half), along(end, n, half)};
  bond.derivative = along(along(end, u, is_at_head ? -hbg_measure_DERIVATIVE_ALONG : hbg_measure_DERIVATIVE_ALONG), n,
                          -hbg_measure_DERIVATIVE_ASIDE);
  return bond;
}

double hbg_arrow_beside(int32_t lane, int32_t lanes, int32_t bonds) {
  const double beside_bonds = 1.25; /* from line to line, in halves of a lane */
  return (bonds > 0 ? -(bonds - 1) - beside_bonds * (lane + 1) : 2 * lane - (lanes - 1)) * hbg_measure_LANE_HALF;
}

HbgArrowGeometry hbg_arrow_geometry(HbgBox from, HbgBox to, double beside, double back, double aside) {
  const HbgPoint u = direction_of(from, to), n = normal_of(u);
  HbgArrowGeometry arrow = {.line = line_between(from, to, u, n, beside)};
  const HbgPoint base = along(arrow.line.to, u, -back);
  arrow.left = along(base, n, -aside);
  arrow.right = along(base, n, aside);
  const HbgPoint middle = {(arrow.line.from.x + arrow.line.to.x) / 2, (arrow.line.from.y + arrow.line.to.y) / 2};
  arrow.label = along(middle, n, -hbg_measure_EFFORT_ASIDE);
  return arrow;
}
