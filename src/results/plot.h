/* SPDX-License-Identifier: BSD-3-Clause
 * Trajectories as a drawing (SVG): one pane for each quantity, jumps as dotted vertical lines with a ring at every state
 * that lasts an infinitesimal only, and a lane for each junction or machine, shaded where it is on. */
#ifndef RESULTS_PLOT_H
#define RESULTS_PLOT_H

#include <stdbool.h>

#include "base/text.h"

typedef struct HbgPlotSeries {
  const char *name;
  const char *unit;         /* NULL when unknown */
  const double *values;     /* (row_count) */
  const char *const *words; /* (row_count) what a lane says in each row; NULL: a curve */
  bool is_state;            /* a lane of the states of a machine, not of something that is on or off */
} HbgPlotSeries;

typedef struct HbgPlot {
  const char *title;
  const double *times;      /* (row_count) [s]; rows of one instant have the same time */
  int32_t row_count;
  const HbgPlotSeries *series;
  int32_t series_count;
} HbgPlot;

/* Adds a whole SVG document. */
void hbg_plot_add(HbgText *svg, const HbgPlot *plot);

#endif
