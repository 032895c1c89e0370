/* SPDX-License-Identifier: BSD-3-Clause
 * HyBrSim: a model as a drawing: symbols with places, bonds with half arrows and causal strokes, signals; and the file of it.
 *
 * A diagram shows one level: the model itself, the inside of an instance of a submodel, or a submodel as it is declared. What
 * lies deeper is one symbol. Loops are expanded. A model that is wrong has a diagram, too: of what could be understood.
 *
 * Places are those that the text gives (`drawing { bullet at 40, 120 }`), the others are found automatically; the same text has the
 * same diagram, whatever the order of its declarations. Lengths are CSS pixels (1/96 inch), y points down; a place is the
 * centre of a symbol. How bonds are drawn follows the conventions of the field: docs/theory.md, 15. */
#ifndef HYBRSIM_DIAGRAM_H
#define HYBRSIM_DIAGRAM_H

#include "hybrsim/editor.h"
#include "hybrsim/model.h"
#include "hybrsim/plot.h"
#include "hybrsim/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HbgDiagram HbgDiagram; /* opaque */

typedef struct HbgDiagramOptions { /* take from hbg_diagram_options(), then change what you need */
  const char *level;    /* "" (default): the model; "row.wagon[1]": the inside of an instance; "Wagon": a submodel as it is declared, also
                           "parts.Wagon" of a file that is imported under that name, and "path:Wagon" of any file of the model */
  const char *mode;     /* for the causal strokes, as in hbg_model_causality(); NULL (default): the initial one. Of a submodel as it is declared
                           always that */
  bool is_automatic;    /* places of the text do not count; default false */
  uint32_t cookie;      /* private: tells options that were not taken from hbg_diagram_options() */
} HbgDiagramOptions;
HBG_API HbgDiagramOptions hbg_diagram_options(void);

/* The diagram of `model`, also of one that is wrong (HBG_MODEL_WRONG of hbg_model_load()). It borrows the model. HBG_ARGUMENT, with a sentence
 * in `*message` (a constant; may be NULL), when there is no such level or mode, a pointer is missing, or the options were not taken
 * from hbg_diagram_options(). */
HBG_API HbgStatus hbg_diagram_create(const HbgModel *model, const HbgDiagramOptions *options, HbgDiagram **out, const char **message);
/* NULL is fine. */
HBG_API void hbg_diagram_free(HbgDiagram *diagram);

/* ---- what is on it ---- */

typedef enum HbgSymbolSort {
  HBG_SYMBOL_ELEMENT, HBG_SYMBOL_JUNCTION, HBG_SYMBOL_SUBMODEL, HBG_SYMBOL_SIGNAL,
  HBG_SYMBOL_PORT,    /* of the submodel whose inside is shown: power ports, `in` and `out` */
  HBG_SYMBOL_MACHINE  /* one with a name of its own; that of a single junction belongs to the junction */
} HbgSymbolSort;

typedef struct HbgSymbol {
  HbgSymbolSort sort;
  const char *name;      /* within the level: "ball[3]" */
  const char *path;      /* in the model: "row.ball[3]"; of what columns of a run are called */
  const char *kind;      /* as written: "I", "MSe", "0", "1", "TF"; a submodel's type "Wagon"; of a signal the function that it is: "sum", "integral",
                            "step", ..., or "constant", or "expression"; of a port "port", "in", "out", "clock", "0" or "1" (a junction that is a
                            port); of a machine its type. A signal that is given out is one symbol with its port: "out" */
  const char *label;     /* what stands beside or in it: "m1", "e = 9*f*abs(f)"; shortened when long; "" without */
  double x, y;           /* centre */
  double width, height;  /* of the box that bonds keep clear of */
  bool is_placed;        /* by the text; else automatically */
  HbgRange declaration;  /* of its name, in the text `file` */
  int32_t file;          /* 0: the text of the model; else an imported one: hbg_diagram_file() */
  bool is_repeated;      /* declared once for several: by a loop or a range; it cannot be taken away alone */
  int32_t machine;       /* index of the machine that switches this junction, or that this symbol is; -1 */
  bool is_on;            /* of a junction, in the mode of the diagram; others: true */
  const char *definition;/* of a submodel: the level that shows its declaration ("Wagon"); else "" */
} HbgSymbol;

typedef enum HbgStrokePlace { HBG_STROKE_UNKNOWN, HBG_STROKE_AT_TAIL, HBG_STROKE_AT_HEAD } HbgStrokePlace;

typedef struct HbgDiagramBond {
  int32_t tail, head;    /* symbols; the half arrow points to head */
  const char *name;      /* as hbg_model_bond() has it */
  const char *effort, *flow; /* what hbg_run_find() finds its variables by: "F13.e", "(a -> b).e"; "" when the model is wrong, or it is a submodel
                                as it is declared */
  int32_t bond;          /* index of hbg_model_bond(); -1: the model is wrong */
  HbgStrokePlace stroke; /* at the end that is given the effort */
  bool is_derivative;    /* the storage at one of its ends is in derivative causality */
  bool is_conflict;
  bool is_off;           /* one of its ends is a junction that is off */
  int32_t lane, lanes;   /* of several bonds between the same two symbols: which, of how many */
  HbgRange arrow;        /* the arrow that makes it, in the text `file` */
  int32_t file;
  bool is_repeated;
} HbgDiagramBond;

typedef enum HbgLinkSort {
  HBG_LINK_SIGNAL,       /* from what a signal gives to what reads it */
  HBG_LINK_ACTIVE,       /* an effort or flow that is read without power: an active bond */
  HBG_LINK_SWITCH        /* from a machine with a name of its own to a junction that it switches */
} HbgLinkSort;

/* Each once; what a guard reads both by pre(...) and bare is read twice: HYBRSIM's `-` and `+`. */
typedef struct HbgDiagramLink {
  HbgLinkSort sort;
  int32_t from, to;      /* symbols */
  const char *quantity;  /* of an active bond: "e", "f", "p", "q"; else "" */
  bool is_a_priori;      /* read by pre(...) in a guard: HYBRSIM's `-`; else `+` */
  bool is_guard;         /* read by a guard of the junction's or machine's transitions */
} HbgDiagramLink;

typedef struct HbgDiagramSize {
  int32_t symbols, bonds, links, files;
  double width, height;  /* of the drawing; all places lie within */
  double left, top;      /* of its corner */
} HbgDiagramSize;
HBG_API HbgDiagramSize hbg_diagram_size(const HbgDiagram *diagram);
/* Symbols by name, bonds by their ends, links by theirs. A bond that leads out of the inside of an instance ends at the symbol of the port. All zero, "" for names, where there is none of that index. */
HBG_API HbgSymbol hbg_diagram_symbol(const HbgDiagram *diagram, int32_t index);
HBG_API HbgDiagramBond hbg_diagram_bond(const HbgDiagram *diagram, int32_t index);
HBG_API HbgDiagramLink hbg_diagram_link(const HbgDiagram *diagram, int32_t index);
/* The path of an imported file, "" of the text of the model. */
HBG_API const char *hbg_diagram_file(const HbgDiagram *diagram, int32_t file);

/* ---- as a picture ---- */

typedef struct HbgPictureOptions { /* take from hbg_picture_options() */
  HbgPlotFormat format;            /* of plot.h; default HBG_PLOT_SVG */
  double dots_per_inch;            /* of a PNG; default 192 */
  const char *title;               /* NULL (default): none */
  bool has_signals;                /* signals and active bonds; default true */
  bool has_labels;                 /* default true */
  HbgRun *run;                     /* values at the bonds, and what is on, of its current row; NULL (default): none */
  uint32_t cookie;
} HbgPictureOptions;
HBG_API HbgPictureOptions hbg_picture_options(void);
/* Draws, and hands the file to `sink` piece by piece; HBG_SINK when that answers false. HBG_ARGUMENT, and a sentence in `*message`, when it cannot be
 * drawn (a PNG without the library cairo). */
HBG_API HbgStatus hbg_diagram_write(const HbgDiagram *diagram, const HbgPictureOptions *options,
                                    bool (*sink)(const char *bytes, size_t length, void *user), void *user, const char **message);

#ifdef __cplusplus
}
#endif
#endif
