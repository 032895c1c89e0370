/* SPDX-License-Identifier: BSD-3-Clause
 * HyBrSim: trajectories as drawings, SVG and PNG.
 *
 * A plot collects trajectories, each from a run, from a file of results, or from numbers of the caller's own, and
 * draws them upon each other: numbers as curves in panes with a common time axis, what is switched as shaded lanes
 * below. Rows of one instant have the same time; where a value differs between them it jumps, and is drawn so. One
 * thread at a time per plot. Texts that are handed in are copied. A plot borrows nothing: runs and models may end before it.
 * Every call answers HBG_OK; HBG_ARGUMENT, with nothing added and a sentence in hbg_plot_message(); or HBG_MEMORY, after which
 * a plot can only be freed. */
#ifndef HYBRSIM_PLOT_H
#define HYBRSIM_PLOT_H

#include "hybrsim/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HbgPlot HbgPlot; /* opaque */

typedef enum HbgPlotFormat { HBG_PLOT_SVG, HBG_PLOT_PNG } HbgPlotFormat;

typedef struct HbgPlotOptions { /* take from hbg_plot_options(), then change what you need */
  const char *title;            /* NULL (default): none */
  double width;                 /* of the drawing [pixels of 1/96 inch]; default 640 */
  double height;                /* the same; NAN (default): what the panes need */
  double dots_per_inch;         /* of a PNG; default 192: two dots for each pixel of the drawing */
  double font_size;             /* [pixels]; default 12, which is 9 point */
  double from, to;              /* the window of time [s]; NAN (default): everything */
  const char *panes;            /* names of columns, commas between those of one pane, semicolons between panes:
                                   "body.p,wood.p; gap". NULL (default): a pane for each unit */
  bool has_grid;                /* default true */
  void *(*allocate)(size_t size, void *user); /* as in HbgModelOptions; neither given: malloc and free */
  void (*release)(void *memory, size_t size, void *user);
  void *user;                   /* handed to both */
  uint32_t cookie;              /* private: tells options that were not taken from hbg_plot_options() */
} HbgPlotOptions;

/* The defaults listed at each field of HbgPlotOptions. */
HBG_API HbgPlotOptions hbg_plot_options(void);

/* Creates a plot without trajectories, to be given to hbg_plot_free(). Copies `options` (NULL: the defaults). HBG_ARGUMENT
 * when a number of them is out of range, when they were not taken from hbg_plot_options() or have one function of the
 * allocator only; `*message` (may be NULL) then says which, a constant. On failure `*out` is NULL. */
HBG_API HbgStatus hbg_plot_create(const HbgPlotOptions *options, HbgPlot **out, const char **message);
/* NULL is fine. */
HBG_API void hbg_plot_free(HbgPlot *plot);

/* Begins a trajectory called `name` with these columns; rows follow. Copies. The name stands in the legend when
 * there are several trajectories. Units may be NULL, when unknown. */
HBG_API HbgStatus hbg_plot_add_columns(HbgPlot *plot, const char *name, const HbgColumn *columns, int32_t column_count);
/* Adds a row to the newest trajectory: a time [s], finite and not before the last one, and a value for each column:
 * 0 or 1 for BOOLEAN and JUNCTION, the index of the state for MACHINE. What is not finite is a gap. */
HBG_API HbgStatus hbg_plot_add_row(HbgPlot *plot, double time, const double *values);

/* The same with the columns of `run`, to be called when all of them are added; then, for each hbg_run_next(), the row it gave.
 * Rows that are mythical are left out: they never were. A row is refused when the newest trajectory is not that of a run with
 * as many columns. */
HBG_API HbgStatus hbg_plot_add_run(HbgPlot *plot, const char *name, const HbgRun *run);
HBG_API HbgStatus hbg_plot_add_run_row(HbgPlot *plot, const HbgRun *run, const HbgRow *row);

/* Adds the trajectory in `text` (`length` bytes): CSV or JSON as the commands 'simulate' and 'events' write it.
 * `name` is for the legend, `file` for messages. HBG_ARGUMENT when something is wrong in it: hbg_plot_message() says where and
 * what. JSON is read with memory of malloc. */
HBG_API HbgStatus hbg_plot_read(HbgPlot *plot, const char *name, const char *file, const char *text, size_t length);

/* Draws, and hands the file to `sink` piece by piece; HBG_SINK when that answers false. HBG_ARGUMENT when it cannot be
 * drawn (options that do not fit, PNG without the library cairo); hbg_plot_message() says why. May be called again. */
HBG_API HbgStatus hbg_plot_write(HbgPlot *plot, HbgPlotFormat format,
                                 bool (*sink)(const char *bytes, size_t length, void *user), void *user);

/* Why the last call answered HBG_ARGUMENT; "" when none did. Lives until the next call. */
HBG_API const char *hbg_plot_message(const HbgPlot *plot);

/* The next name of a list as in HbgPlotOptions.panes: answers where to go on, or NULL when there is no further one, or a
 * pointer is missing.
 * `*begin` and `*length` are the name without blanks around it; `*ends_pane` tells whether it is the last one of its
 * pane. Commas in parentheses and brackets belong to the name. */
HBG_API const char *hbg_plot_next_name(const char *list, const char **begin, size_t *length, bool *ends_pane);

#ifdef __cplusplus
}
#endif
#endif
