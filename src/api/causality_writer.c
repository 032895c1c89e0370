/* SPDX-License-Identifier: BSD-3-Clause
 * The causality of a mode as text. */
#include <string.h>

#include "api/writer.h"
#include "results/csv.h"
#include "results/json.h"
#include "results/table.h"

static void add(HbgText *text, const char *bytes) { hbg_text_add_bytes(text, bytes, strlen(bytes)); }

static const char *causality_word(const HbgStorageCausality *storage) {
  return storage->is_integral ? "integral" : "derivative";
}

/* -- for people -------------------------------------------------------------------------------------------------- */

static void add_heading(const HbgWriterOptions *options, HbgText *text, const char *heading) {
  add(text, "\n");
  hbg_table_add_styled(text, heading, HBG_STYLE_TITLE, options->has_colour);
  add(text, "\n");
}

/* Whether the user named the bond: it is not called "tail -> head". */
static bool has_own_name(const HbgStroke *stroke) {
  const size_t tail = strlen(stroke->tail);
  return strncmp(stroke->bond, stroke->tail, tail) != 0 || strncmp(stroke->bond + tail, " -> ", 4) != 0 ||
         strcmp(stroke->bond + tail + 4, stroke->head) != 0;
}

/* One bond as a drawing: the stroke stands at the end that is given the effort. */
static void fill_bond(const HbgStroke *stroke, HbgTableCell *cells) {
  const HbgStyle style = stroke->is_conflict ? HBG_STYLE_ERROR : HBG_STYLE_PLAIN;
  cells[0] = (HbgTableCell){stroke->tail, style};
  cells[1] = (HbgTableCell){stroke->effort_from_tail ? "--->|" : "|--->", stroke->is_conflict ? style : HBG_STYLE_TITLE};
  cells[2] = (HbgTableCell){stroke->head, style};
  cells[3] = (HbgTableCell){stroke->effort_from_tail ? stroke->tail : stroke->head, style};
  cells[4] = (HbgTableCell){stroke->effort_from_tail ? stroke->head : stroke->tail, style};
  cells[5] = (HbgTableCell){has_own_name(stroke) ? stroke->bond : "", HBG_STYLE_FAINT};
  cells[6] = (HbgTableCell){stroke->is_conflict ? "conflict" : "", HBG_STYLE_ERROR};
}

static void add_bonds(const HbgWriterOptions *options, HbgText *text, const HbgCausality *causality) {
  enum { COLUMNS = 7 };
  HbgTableColumn columns[COLUMNS] = {
      {.title = "from", .align = HBG_ALIGN_RIGHT}, {.title = "bond"}, {.title = "to"}, {.title = "effort set by"},
      {.title = "flow set by"},                    {.title = "name"}, {.title = ""},
  };
  HbgTable table = {columns, COLUMNS, options->has_colour, options->has_unicode};
  HbgTableCell cells[COLUMNS];
  bool has_names = false;
  hbg_table_start(&table);
  for (int32_t i = 0; i < causality->stroke_count; i++) {
    fill_bond(&causality->strokes[i], cells);
    hbg_table_measure(&table, cells);
    has_names = has_names || *cells[5].text;
  }
  columns[5].is_hidden = !has_names;
  columns[6].is_hidden = causality->conflict_count == 0;
  hbg_table_add_titles(text, &table);
  for (int32_t i = 0; i < causality->stroke_count; i++) {
    fill_bond(&causality->strokes[i], cells);
    hbg_table_add_row(text, &table, cells);
  }
}

static void add_storages(const HbgWriterOptions *options, HbgText *text, const HbgCausality *causality) {
  HbgTableColumn columns[] = {{.title = "stored quantity"}, {.title = "causality"}};
  HbgTable table = {columns, 2, options->has_colour, options->has_unicode};
  hbg_table_start(&table);
  for (int pass = 0; pass < 2; pass++) {
    if (pass) hbg_table_add_titles(text, &table);
    for (int32_t i = 0; i < causality->storage_count; i++) {
      const HbgStorageCausality *storage = &causality->storages[i];
      const HbgStyle style = storage->is_integral ? HBG_STYLE_PLAIN : HBG_STYLE_PINNACLE;
      const HbgTableCell cells[] = {{storage->name, style}, {causality_word(storage), style}};
      if (pass) hbg_table_add_row(text, &table, cells);
      else hbg_table_measure(&table, cells);
    }
  }
}

static void add_loops(const HbgWriterOptions *options, HbgText *text, const HbgCausality *causality) {
  add_heading(options, text, "Algebraic loops, solved for");
  for (int32_t i = 0; i < causality->loop_count; i++) {
    const HbgAlgebraicLoop *loop = &causality->loops[i];
    for (int32_t v = 0; v < loop->variable_count; v++) hbg_text_add(text, "%s%s", v ? ", " : "  ", loop->variables[v]);
    add(text, "\n");
  }
}

static void add_conflicts(const HbgWriterOptions *options, HbgText *text, const HbgCausality *causality) {
  add_heading(options, text, "Conflicts");
  for (int32_t i = 0; i < causality->conflict_count; i++) {
    add(text, "  ");
    hbg_table_add_styled(text, causality->conflicts[i], HBG_STYLE_ERROR, options->has_colour);
    add(text, "\n");
  }
}

static void add_table(const HbgWriterOptions *options, HbgText *text, const char *model, const HbgCausality *causality) {
  const char *mode = causality->mode && *causality->mode ? causality->mode : "nothing is switched";
  hbg_table_add_styled(text, hbg_print(text->arena, "%s in mode {%s}", model, mode), HBG_STYLE_TITLE,
                       options->has_colour);
  add(text, "\n\n");
  add_bonds(options, text, causality);
  add(text, "\n");
  if (causality->storage_count) add_storages(options, text, causality);
  else add(text, "Nothing is stored.\n");
  if (causality->loop_count) add_loops(options, text, causality);
  else add(text, "\nNo algebraic loops.\n");
  if (causality->conflict_count) add_conflicts(options, text, causality);
  hbg_text_add(text, "%s%d energy island%s.\n", causality->loop_count || causality->conflict_count ? "\n" : "",
               causality->island_count, causality->island_count == 1 ? "" : "s");
}

/* -- for programs ------------------------------------------------------------------------------------------------ */

static HbgCell word(const char *text) { return (HbgCell){.kind = HBG_CELL_WORD, .word = text}; }

static const char *joined(const HbgAlgebraicLoop *loop, HbgArena *arena) {
  HbgText text = hbg_text(arena);
  for (int32_t i = 0; i < loop->variable_count; i++) hbg_text_add(&text, "%s%s", i ? " " : "", loop->variables[i]);
  return text.bytes;
}

/* One list of bonds, storages, loops and conflicts; cells that a row has no use for are empty. */
static void add_csv(HbgText *text, const HbgCausality *causality) {
  add(text, "item,name,tail,head,stroke,causality\n");
  for (int32_t i = 0; i < causality->stroke_count; i++) {
    const HbgStroke *stroke = &causality->strokes[i];
    const char *end = stroke->effort_from_tail ? "head" : "tail";
    const HbgCell cells[] = {word("bond"),       word(stroke->bond), word(stroke->tail),
                             word(stroke->head), word(end),          word(stroke->is_conflict ? "conflict" : "")};
    hbg_csv_add_row(text, cells, 6);
  }
  for (int32_t i = 0; i < causality->storage_count; i++) {
    const HbgStorageCausality *storage = &causality->storages[i];
    const HbgCell cells[] = {word("storage"), word(storage->name), word(""), word(""), word(""),
                             word(causality_word(storage))};
    hbg_csv_add_row(text, cells, 6);
  }
  for (int32_t i = 0; i < causality->loop_count; i++) {
    const HbgCell cells[] = {word("loop"), word(joined(&causality->loops[i], text->arena)), word(""), word(""), word(""), word("")};
    hbg_csv_add_row(text, cells, 6);
  }
  for (int32_t i = 0; i < causality->conflict_count; i++) {
    const HbgCell cells[] = {word("conflict"), word(causality->conflicts[i]), word(""), word(""), word(""), word("")};
    hbg_csv_add_row(text, cells, 6);
  }
}

static void add_pair(HbgText *text, const char *before, const char *key, const char *value) {
  hbg_text_add(text, "%s\"%s\": ", before, key);
  hbg_json_add_text(text, value);
}

static void add_json_bonds(HbgText *text, const HbgCausality *causality) {
  add(text, ",\n \"bonds\": [");
  for (int32_t i = 0; i < causality->stroke_count; i++) {
    const HbgStroke *stroke = &causality->strokes[i];
    add_pair(text, i ? ",\n  {" : "\n  {", "name", stroke->bond);
    add_pair(text, ", ", "tail", stroke->tail);
    add_pair(text, ", ", "head", stroke->head);
    add_pair(text, ", ", "stroke", stroke->effort_from_tail ? "head" : "tail");
    hbg_text_add(text, ", \"conflict\": %s}", stroke->is_conflict ? "true" : "false");
  }
  add(text, "]");
}

static void add_json_strings(HbgText *text, const char *const *strings, int32_t count) {
  add(text, "[");
  for (int32_t i = 0; i < count; i++) {
    if (i) add(text, ", ");
    hbg_json_add_text(text, strings[i]);
  }
  add(text, "]");
}

static void add_json(HbgText *text, const char *model, const HbgCausality *causality) {
  add_pair(text, "{", "model", model);
  add_pair(text, ",\n ", "mode", causality->mode);
  add_json_bonds(text, causality);
  add(text, ",\n \"storages\": [");
  for (int32_t i = 0; i < causality->storage_count; i++) {
    add_pair(text, i ? ",\n  {" : "\n  {", "name", causality->storages[i].name);
    add_pair(text, ", ", "causality", causality_word(&causality->storages[i]));
    add(text, "}");
  }
  add(text, "],\n \"loops\": [");
  for (int32_t i = 0; i < causality->loop_count; i++) {
    if (i) add(text, ", ");
    add_json_strings(text, causality->loops[i].variables, causality->loops[i].variable_count);
  }
  add(text, "],\n \"conflicts\": ");
  add_json_strings(text, causality->conflicts, causality->conflict_count);
  hbg_text_add(text, ",\n \"islands\": %d}\n", causality->island_count);
}

/* -- the door ---------------------------------------------------------------------------------------------------- */

typedef struct Call {
  HbgArena arena;
  const HbgCausality *causality;
  const HbgWriterOptions *options;
} Call;

static HbgStatus write(void *user) {
  Call *call = user;
  HbgText text = hbg_text(&call->arena);
  const char *model = hbg_causality_model(call->causality);
  if (call->options->format == HBG_FORMAT_TABLE) add_table(call->options, &text, model, call->causality);
  else if (call->options->format == HBG_FORMAT_CSV) add_csv(&text, call->causality);
  else add_json(&text, model, call->causality);
  return hbg_text_hand_out(&text, call->options);
}

HbgStatus hbg_causality_write(const HbgCausality *causality, const HbgWriterOptions *options) {
  if (!causality || !hbg_writer_options_are_sound(options)) return HBG_ARGUMENT;
  Call call = {hbg_arena(hbg_causality_allocator(causality)), causality, options};
  const HbgStatus status = hbg_guarded(&call.arena, write, &call);
  hbg_arena_release_all(&call.arena);
  return status;
}
