// SPDX-License-Identifier: BSD-3-Clause
#include "picture.h"

#include <math.h>

enum { ACROSS = 4, PANE = 200, HIGH = 170, LEFT = 46, TOP = 30, INNER = 140, TALL = 110 };

typedef struct {
  double left, top;                            // of the pane, in pixels
  double low_n, high_n, low_time, high_time;   // decades: logarithms
} Pane;

static double x_of(const Pane *pane, double n) { return pane->left + LEFT + INNER*(log10(n) - pane->low_n)/(pane->high_n - pane->low_n); }

static double y_of(const Pane *pane, double time) {
  return pane->top + TOP + TALL - TALL*(log10(time) - pane->low_time)/(pane->high_time - pane->low_time);
}

static const char *decade(int exponent) {
  static const char *const names[] = {"1 ns", "10 ns", "100 ns", "1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s"};
  return exponent >= -9 && exponent <= 2 ? names[exponent + 9] : "";
}

static void axes(FILE *svg, const Pane *pane, const char *name, const char *title) {
  double bottom = pane->top + TOP + TALL, left = pane->left + LEFT;
  fprintf(svg, "<text x=\"%g\" y=\"%g\"><tspan class=\"name\">%s</tspan> %s</text>\n", left, pane->top + 20, name, title);
  for (int k = (int)pane->low_time; k <= (int)pane->high_time; k++) {
    double y = bottom - TALL*(k - pane->low_time)/(pane->high_time - pane->low_time);
    fprintf(svg, "<path class=\"grid\" d=\"M%g %.1fh%d\"/>", left, y, INNER);
    if (((int)pane->high_time - k) % 2 == 0)
      fprintf(svg, "<text class=\"time\" x=\"%g\" y=\"%.1f\">%s</text>\n", left - 4, y + 3, decade(k));
  }
  for (int k = (int)ceil(pane->low_n); k <= (int)floor(pane->high_n); k++) {
    double x = x_of(pane, pow(10, k));
    fprintf(svg, "<path class=\"grid\" d=\"M%.1f %gv%d\"/>", x, pane->top + TOP, TALL);
    fprintf(svg, "<text class=\"size\" x=\"%.1f\" y=\"%g\">%.0f</text>\n", x, bottom + 12, pow(10, k));
  }
}

static double ours(const Result *result) { return result->samples ? result->ours : NAN; }
static double hand(const Result *result) { return result->hand; }

static void curve(FILE *svg, const Pane *pane, const Result *results, long count, double (*time)(const Result *), const char *class) {
  fprintf(svg, "<path class=\"%s\" d=\"", class);
  for (long i = 0, drawn = 0; i < count; i++)
    if (time(&results[i]) > 0)
      fprintf(svg, "%c%.1f %.1f", drawn++ ? 'L' : 'M', x_of(pane, (double)results[i].n), y_of(pane, time(&results[i])));
  fprintf(svg, "\"/>\n");
  for (long i = 0; i < count; i++)
    if (time(&results[i]) > 0)
      fprintf(svg, "<circle class=\"%s-dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\"/>\n", class, x_of(pane, (double)results[i].n),
              y_of(pane, time(&results[i])));
}

static void include(Pane *pane, double time) {
  if (!(time > 0)) return;
  pane->low_time = fmin(pane->low_time, floor(log10(time)));
  pane->high_time = fmax(pane->high_time, ceil(log10(time)));
}

static void draw(FILE *svg, const Result *results, long count, int place) {
  Pane pane = {.left = (place % ACROSS)*PANE, .top = 20 + (place/ACROSS)*HIGH, .low_time = 9, .high_time = -9};
  pane.low_n = log10((double)results[0].n);
  pane.high_n = log10((double)results[count - 1].n);
  for (long i = 0; i < count; i++) {
    include(&pane, ours(&results[i]));
    include(&pane, hand(&results[i]));
  }
  axes(svg, &pane, results[0].workload->name, results[0].workload->title);
  curve(svg, &pane, results, count, hand, "hand");
  curve(svg, &pane, results, count, ours, "ours");
}

// How many results from i on are of one workload.
static long together(const Results *results, long i) {
  long end = i;
  while (end < results->count && results->result[end].workload == results->result[i].workload) end++;
  return end - i;
}

void bench_picture(FILE *svg, const Results *results) {
  int panes = 0;
  for (long i = 0; i < results->count; i += together(results, i)) panes += together(results, i) > 1;
  int high = 30 + (panes + ACROSS - 1)/ACROSS*HIGH, wide = (panes < ACROSS && panes ? panes : ACROSS)*PANE;
  fprintf(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", wide, high, wide, high);
  fprintf(svg, "<style>text{font:9px 'DejaVu Sans',sans-serif;fill:#333}.name{font-weight:bold}.time{text-anchor:end}.size{text-anchor:middle}"
               ".grid{stroke:#ddd;fill:none}.ours,.hand{fill:none;stroke-width:1.6}.ours{stroke:#d55e00}.hand{stroke:#0072b2}"
               ".ours-dot{fill:#d55e00}.hand-dot{fill:#0072b2}</style>\n"
               "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
               "<text x=\"10\" y=\"16\">time of one run over N: <tspan fill=\"#d55e00\">hybrsim</tspan>, "
               "<tspan fill=\"#0072b2\">by hand in C</tspan></text>\n");
  int place = 0;
  for (long i = 0; i < results->count; i += together(results, i))
    if (together(results, i) > 1) draw(svg, &results->result[i], together(results, i), place++);
  fprintf(svg, "</svg>\n");
}
