/* SPDX-License-Identifier: BSD-3-Clause
 * The requests about the folder and pictures of models: folder, thumbnail, draw. */
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "documents.h"
#include "looks.h"

enum { BEGINNING = 1 << 20 };

static json_t *describe(const StudioEntry *entry) {
  size_t size = 0;
  char *text = studio_file_read(entry->absolute, BEGINNING, &size);
  char *name = text ? studio_model_name_in(text) : NULL, *description = text ? studio_description_in(text) : NULL;
  json_t *out = json_pack("{s:o, s:o, s:o, s:I, s:f}", "path", studio_json_text(entry->path), "name", studio_json_text(name), "description",
                          studio_json_text(description), "size", (json_int_t)entry->stamp.size, "modified",
                          (double)entry->stamp.seconds + 1e-9 * (double)entry->stamp.nanoseconds);
  free(name);
  free(description);
  free(text);
  return out;
}

json_t *studio_folder(Studio *studio, const json_t *request, StudioReply *reply) {
  (void)request, (void)reply;
  const StudioFolder *folder = studio->folder;
  StudioListing listing;
  studio_folder_list(folder, &listing);
  json_t *models = json_array();
  for (size_t i = 0; i < listing.count; i++) json_array_append_new(models, describe(&listing.entries[i]));
  studio_listing_free(&listing);
  return json_pack("{s:o, s:o, s:b, s:o}", "folder", studio_json_text(folder->name), "models", models, "isGallery", folder->is_gallery, "opened",
                   studio_json_text(folder->opened));
}

/* ---- pictures ---- */

/* What a picture is asked with. */
typedef struct Picture {
  const char *level, *mode, *run;
  int64_t row;
  HbgPlotFormat format;
  bool has_labels;
} Picture;

static json_t *write_picture(const HbgDiagram *diagram, const Picture *picture, HbgRun *run, StudioReply *reply) {
  HbgPictureOptions options = hbg_picture_options();
  StudioBuffer out = {0};
  const char *message = "";
  options.format = picture->format;
  options.run = run;
  options.has_labels = picture->has_labels;
  const HbgStatus status = hbg_diagram_write(diagram, &options, studio_buffer_sink, &out, &message);
  if (status != HBG_OK) {
    studio_buffer_free(&out);
    if (status == HBG_ARGUMENT) return studio_fail(reply, 400, "Take SVG.", "It cannot be drawn: %s.", message ? message : "");
    return studio_fail_memory(reply);
  }
  size_t size = 0;
  char *bytes = studio_buffer_take(&out, &size);
  if (!bytes) return studio_fail_memory(reply);
  return studio_answer_bytes(reply, picture->format == HBG_PLOT_PNG ? "image/png" : "image/svg+xml", bytes, size);
}

static json_t *draw_run(Studio *studio, const HbgDiagram *diagram, const Picture *picture, StudioReply *reply) {
  StudioRunAtRow at = {0};
  if (*picture->run && !studio_run_take_at_row(studio, picture->run, picture->row, &at, reply)) return NULL;
  write_picture(diagram, picture, at.run, reply);
  if (*picture->run) studio_run_release_at_row(studio, &at);
  return NULL;
}

static json_t *draw(Studio *studio, const json_t *request, const Picture *picture, StudioReply *reply) {
  StudioReading *reading = studio_reading_take(studio, request, reply);
  if (!reading) return NULL;
  HbgDiagram *diagram = studio_diagram_of(reading->model, picture->level, picture->mode, false);
  if (diagram) draw_run(studio, diagram, picture, reply);
  else studio_fail(reply, 404, "Go up to the model.", "There is no level '%s' in the model.", picture->level);
  hbg_diagram_free(diagram);
  studio_reading_give_back(studio, reading);
  return NULL;
}

json_t *studio_draw(Studio *studio, const json_t *request, StudioReply *reply) {
  Picture picture = {.level = "", .mode = "", .run = "", .has_labels = true};
  const char *format = "svg";
  if (!studio_read_text(request, "level", false, &picture.level, reply) || !studio_read_text(request, "mode", false, &picture.mode, reply) ||
      !studio_read_text(request, "run", false, &picture.run, reply) || !studio_read_text(request, "format", false, &format, reply) ||
      !studio_read_integer(request, "row", false, 0, INT64_MAX, &picture.row, reply))
    return NULL;
  if (strcmp(format, "svg") != 0 && strcmp(format, "png") != 0) return studio_fail(reply, 400, NULL, "The format is svg or png.");
  picture.format = !strcmp(format, "png") ? HBG_PLOT_PNG : HBG_PLOT_SVG;
  return draw(studio, request, &picture, reply);
}

/* Of the text as it is now. */
json_t *studio_thumbnail(Studio *studio, const json_t *request, StudioReply *reply) {
  const char *path;
  StudioText text;
  if (!studio_read_text(request, "path", true, &path, reply) || !studio_text_take_latest(studio, path, &text, reply)) return NULL;
  const Picture picture = {.level = "", .mode = "", .run = "", .format = HBG_PLOT_SVG};
  json_t *asked = json_pack("{s:s, s:I}", "path", path, "version", (json_int_t)text.version);
  studio_text_release(&text);
  if (!asked) return studio_fail_memory(reply);
  draw(studio, asked, &picture, reply);
  json_decref(asked);
  return NULL;
}
