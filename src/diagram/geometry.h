/* SPDX-License-Identifier: BSD-3-Clause
 * Where the lines of a bond, an active bond and a signal lie. The studio's page has the same functions in geometry.ts, and a test
 * holds both against each other. y points down. */
#ifndef DIAGRAM_GEOMETRY_H
#define DIAGRAM_GEOMETRY_H

#include "hybrsim/diagram.h"
#include "results/drawing.h"

#define MEASURE(name, value) static const double hbg_measure_##name = value;
#include "diagram/geometry.def"
#undef MEASURE

typedef struct HbgBox {
  HbgPoint centre;
  double width, height;
} HbgBox;

typedef struct HbgSegment {
  HbgPoint from, to;
} HbgSegment;

typedef struct HbgBondGeometry {
  HbgSegment line;       /* from the box of the tail to that of the head */
  HbgPoint barb;         /* the half arrow is the line from `line.to` to here */
  HbgSegment stroke;     /* the causal stroke; both ends the same where there is none */
  HbgPoint derivative;   /* middle of the letter beside it */
  HbgPoint effort, flow; /* middles of the labels */
  HbgPoint normal;       /* of length 1, to the side of the flow: below the bond, or to the right of it */
} HbgBondGeometry;
/* Bond number `lane` of `lanes` between two symbols. Boxes that touch or lie upon each other give a line without length. */
HbgBondGeometry hbg_bond_geometry(HbgBox tail, HbgBox head, int32_t lane, int32_t lanes, HbgStrokePlace stroke);

typedef struct HbgArrowGeometry {
  HbgSegment line;
  HbgPoint left, right; /* the corners of the head behind its tip `line.to` */
  HbgPoint label;       /* the letter of an active bond */
} HbgArrowGeometry;
/* An arrow that lies `beside` the line between the centres; its head is `back` long and twice `aside` wide. */
HbgArrowGeometry hbg_arrow_geometry(HbgBox from, HbgBox to, double beside, double back, double aside);
/* How far that is for number `lane` of `lanes` arrows between two symbols: about the middle; beside the bonds, on the side of the effort, where
 * there are any. */
double hbg_arrow_beside(int32_t lane, int32_t lanes, int32_t bonds);

#endif
