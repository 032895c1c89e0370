/* SPDX-License-Identifier: BSD-3-Clause
 * A drawing as PNG, by cairo, which is loaded when the first one is asked for: it costs more than most runs. */
#ifndef RESULTS_PNG_H
#define RESULTS_PNG_H

#include <stddef.h>

#include "base/status.h"
#include "results/drawing.h"

/* Draws with `scale` pixels for each unit of the drawing and hands the file to `sink` piece by piece, until that
 * answers false (HBG_SINK). With HBG_ARGUMENT `*message` says why (a constant). Takes nothing from the arena of the drawing. */
HbgStatus hbg_png_write(const HbgDrawing *drawing, double scale,
                        bool (*sink)(const char *bytes, size_t length, void *user), void *user, const char **message);

#endif
