/* SPDX-License-Identifier: BSD-3-Clause
 * A diagram as shapes. */
#ifndef DIAGRAM_PICTURE_H
#define DIAGRAM_PICTURE_H

#include "diagram/diagram.h"
#include "results/drawing.h"

typedef struct HbgPicture {
  const char *title;             /* NULL: none */
  bool has_signals, has_labels;
  const double *efforts, *flows; /* of each bond, written beside it; what is NAN is not. NULL: none */
} HbgPicture;

/* In `arena`, which must outlive the drawing. */
HbgDrawing hbg_picture(const HbgDiagram *diagram, const HbgPicture *picture, HbgArena *arena);

#endif
