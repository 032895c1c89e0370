/* SPDX-License-Identifier: BSD-3-Clause
 * The public door of pictures. */
#include <math.h>

#include "api/api.h"
#include "base/text.h"
#include "diagram/picture.h"
#include "results/png.h"
#include "results/svg.h"

HbgPictureOptions hbg_picture_options(void) {
  return (HbgPictureOptions){.format = HBG_PLOT_SVG, .dots_per_inch = 192.0, .has_signals = true, .has_labels = true, .cookie = HBG_COOKIE};
}

typedef struct Writing {
  HbgArena arena; /* of the drawing */
  const HbgDiagram *diagram;
  const HbgPictureOptions *options;
  bool (*sink)(const char *bytes, size_t length, void *user);
  void *user;
  const char *message;
} Writing;

/* What a run has at a bond; NAN where it has nothing. */
static double value_of(HbgRun *run, int32_t bond, bool is_effort) {
  int32_t variable;
  return hbg_run_find_bond(run, bond, is_effort, &variable) == HBG_OK ? hbg_run_read(run, variable) : (double)NAN;
}

static void read_values(Writing *self, HbgPicture *picture) {
  const HbgDiagram *diagram = self->diagram;
  double *efforts = ARENA_NEW(&self->arena, double, diagram->bond_count), *flows = ARENA_NEW(&self->arena, double, diagram->bond_count);
  for (int32_t i = 0; i < diagram->bond_count; i++) {
    efforts[i] = value_of(self->options->run, diagram->bonds[i].bond, true);
    flows[i] = value_of(self->options->run, diagram->bonds[i].bond, false);
  }
  picture->efforts = efforts;
  picture->flows = flows;
}

static HbgStatus write_drawing(void *user) {
  Writing *self = user;
  const HbgPictureOptions *options = self->options;
  HbgPicture picture = {.title = options->title, .has_signals = options->has_signals, .has_labels = options->has_labels};
  if (options->run) read_values(self, &picture);
  const HbgDrawing drawing = hbg_picture(self->diagram, &picture, &self->arena);
  if (options->format == HBG_PLOT_PNG)
    return hbg_png_write(&drawing, options->dots_per_inch / 96.0, self->sink, self->user, &self->message);
  HbgText svg = hbg_text(&self->arena);
  hbg_svg_add(&svg, &drawing);
  return self->sink(svg.bytes, (size_t)svg.length, self->user) ? HBG_OK : HBG_SINK;
}

static const char *check(const HbgPictureOptions *options) {
  if (options->cookie != HBG_COOKIE) return "options must be taken from hbg_picture_options()";
  if (options->format != HBG_PLOT_SVG && options->format != HBG_PLOT_PNG) return "the format must be SVG or PNG";
  if (!(options->dots_per_inch >= 1.0 && options->dots_per_inch <= 1e4)) return "there must be from 1 to 10000 dots per inch";
  return NULL;
}

HbgStatus hbg_diagram_write(const HbgDiagram *diagram, const HbgPictureOptions *options,
                            bool (*sink)(const char *bytes, size_t length, void *user), void *user, const char **message) {
  const HbgPictureOptions defaults = hbg_picture_options();
  if (!options) options = &defaults;
  const char *wrong = !diagram || !sink ? HBG_MISSING : check(options);
  if (message) *message = wrong ? wrong : "";
  if (wrong) return HBG_ARGUMENT;
  Writing self = {hbg_arena(hbg_allocator_of(&diagram->model->options)), diagram, options, sink, user, ""};
  const HbgStatus status = hbg_guarded(&self.arena, write_drawing, &self);
  hbg_arena_release_all(&self.arena);
  if (message) *message = self.message;
  return status;
}
