/* SPDX-License-Identifier: BSD-3-Clause
 * A drawing as SVG 1.1. Every shape has its role as its class, so that a style sheet can change its looks. */
#ifndef RESULTS_SVG_H
#define RESULTS_SVG_H

#include "base/text.h"
#include "results/drawing.h"

/* Adds a whole document. */
void hbg_svg_add(HbgText *svg, const HbgDrawing *drawing);

#endif
