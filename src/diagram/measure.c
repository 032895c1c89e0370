/* SPDX-License-Identifier: BSD-3-Clause
 * How large symbols are, and the drawing as a whole. */
#include "diagram/diagram.h"

#include <math.h>
#include <string.h>

#include "results/drawing.h"

#define LETTERS 14.0 /* size of kinds */
#define SMALL 11.0   /* size of names and labels */
#define PADDING 8.0
#define MARGIN 24.0

static double wider(double a, double b) { return a > b ? a : b; }

static double words(const char *text, double size) { return *text ? hbg_words_width(text, size) : 0; }

static void measure(HbgSymbol *symbol) {
  const double kind = words(symbol->kind, LETTERS), name = words(symbol->name, SMALL), label = words(symbol->label, SMALL);
  switch (symbol->sort) {
    case HBG_SYMBOL_JUNCTION:
      symbol->width = symbol->height = symbol->machine >= 0 ? 26 : 22;
      break;
    case HBG_SYMBOL_SUBMODEL:
      symbol->width = wider(72, wider(name, words(symbol->kind, SMALL)) + 2 * PADDING);
      symbol->height = 44;
      break;
    case HBG_SYMBOL_SIGNAL:
      symbol->width = wider(36, label + 2 * PADDING);
      symbol->height = 28;
      break;
    case HBG_SYMBOL_MACHINE:
      symbol->width = wider(48, wider(name, words(symbol->kind, SMALL)) + 2 * PADDING);
      symbol->height = 36;
      break;
    case HBG_SYMBOL_PORT:
      symbol->width = wider(22, name + PADDING);
      symbol->height = 22;
      break;
    default:
      // "I : m1" in one line
      symbol->width = wider(22, kind + words(" : ", LETTERS) + wider(name, label) + 4);
      symbol->height = 22;
      break;
  }
}

void hbg_diagram_measure(HbgDiagram *diagram) {
  for (int32_t i = 0; i < diagram->symbol_count; i++) measure(&diagram->symbols[i]);
}

void hbg_diagram_bound(HbgDiagram *diagram) {
  double left = (double)INFINITY, top = (double)INFINITY, right = -(double)INFINITY, bottom = -(double)INFINITY;
  for (int32_t i = 0; i < diagram->symbol_count; i++) {
    const HbgSymbol *symbol = &diagram->symbols[i];
    left = fmin(left, symbol->x - symbol->width/2);
    right = fmax(right, symbol->x + symbol->width/2);
    top = fmin(top, symbol->y - symbol->height/2);
    bottom = fmax(bottom, symbol->y + symbol->height/2);
  }
  if (!diagram->symbol_count) left = right = top = bottom = 0;
  const double margin = diagram->symbol_count ? MARGIN : 0;
  diagram->left = left - margin;
  diagram->top = top - margin;
  diagram->width = right - left + 2 * margin;
  diagram->height = bottom - top + 2 * margin;
}
