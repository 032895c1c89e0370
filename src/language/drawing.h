/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the `drawing` of a body: which symbol stands where. All of it is plain numbers, so the tree is enough. */
#ifndef LANGUAGE_DRAWING_H
#define LANGUAGE_DRAWING_H

#include "language/tree.h"

/* The DRAWING of `body` (a MODEL or SUBMODEL), the first where there are several by mistake; 0 without. */
HbgTreeNode hbg_drawing_of(const HbgTree *tree, HbgTreeNode body);
/* What DRAWN `drawn` places, as names are written: "bullet", "ball[3]". */
const char *hbg_drawn_name(const HbgTree *tree, HbgTreeNode drawn, HbgArena *arena);
/* Where its centre is: pixels to the right and down. Infinite for numbers that are too large. */
void hbg_drawn_place(const HbgTree *tree, HbgTreeNode drawn, double *x, double *y);

#endif
