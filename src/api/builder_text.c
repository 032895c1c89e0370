/* SPDX-License-Identifier: BSD-3-Clause
 * A graph made by calls, written in the language; which call wrote what. */
#include "api/builder.h"

typedef struct Writer {
  const HbgBuilder *builder;
  HbgText text;
  HbgPassage *passages; int32_t count, capacity;
} Writer;

/* Notes that `statement` wrote what stands from `begin` on. */
static void note(Writer *writer, int32_t begin, const HbgStatement *statement) {
  ARENA_PUSH(writer->text.arena, writer->passages, writer->count, writer->capacity) =
      (HbgPassage){(uint32_t)begin, (uint32_t)writer->text.length, statement->call};
}

static void write_parts(Writer *writer, const HbgStatement *first, HbgStatementKind kind) {
  for (int32_t at = first->next; at >= 0; at = writer->builder->statements[at].next) {
    const HbgStatement *part = &writer->builder->statements[at];
    if (part->kind != kind) continue;
    const int32_t begin = writer->text.length;
    if (kind == HBG_STATEMENT_LAW) hbg_text_add(&writer->text, ": %s", part->words[1]);
    else hbg_text_add(&writer->text, "  start %s = %s", part->words[1], part->words[2]);
    note(writer, begin, part);
  }
}

/* "  I bullet(m)  start f = 1 [m/s]" */
static void write_element(Writer *writer, const HbgStatement *statement) {
  const int32_t begin = writer->text.length;
  hbg_text_add(&writer->text, "  %s %s", statement->words[0], statement->words[1]);
  if (statement->words[2]) hbg_text_add(&writer->text, "(%s)", statement->words[2]);
  note(writer, begin, statement);
  write_parts(writer, statement, HBG_STATEMENT_LAW);
  write_parts(writer, statement, HBG_STATEMENT_START);
  hbg_text_add(&writer->text, "\n");
}

static void write_type_line(Writer *writer, const HbgStatement *part) {
  const int32_t begin = writer->text.length;
  const char *const *words = part->words;
  if (part->kind == HBG_STATEMENT_STATE)
    hbg_text_add(&writer->text, "    %s %s%s\n", words[2], words[1], words[3] ? " initial" : "");
  else hbg_text_add(&writer->text, "    %s -> %s when %s\n", words[1], words[2], words[3]);
  note(writer, begin, part);
}

static void write_type(Writer *writer, const HbgStatement *statement) {
  const int32_t begin = writer->text.length;
  hbg_text_add(&writer->text, "  machine %s", statement->words[0]);
  if (statement->words[1]) hbg_text_add(&writer->text, "(%s)", statement->words[1]);
  hbg_text_add(&writer->text, " {\n");
  note(writer, begin, statement);
  for (int32_t at = statement->next; at >= 0; at = writer->builder->statements[at].next)
    write_type_line(writer, &writer->builder->statements[at]);
  hbg_text_add(&writer->text, "  }\n");
}

static void add_unit(HbgText *text, const char *unit) {
  if (unit) hbg_text_add(text, " [%s]", unit);
  hbg_text_add(text, "\n");
}

static void write_line(Writer *writer, const HbgStatement *statement) {
  HbgText *text = &writer->text;
  const int32_t begin = text->length;
  const char *const *words = statement->words;
  switch (statement->kind) {
    case HBG_STATEMENT_JUNCTION:
      hbg_text_add(text, "  %s %s%s%s\n", words[0], words[1], words[2] ? " by " : "", words[2] ? words[2] : "");
      break;
    case HBG_STATEMENT_BOND:
      hbg_text_add(text, "  %s -> %s%s%s\n", words[0], words[1], words[2] ? " : " : "", words[2] ? words[2] : "");
      break;
    case HBG_STATEMENT_PARAMETER:
      hbg_text_add(text, "  param %s = %s", words[0], words[1]);
      add_unit(text, words[2]);
      break;
    case HBG_STATEMENT_SIGNAL:
      hbg_text_add(text, "  signal %s = (%s)", words[0], words[1]);
      add_unit(text, words[2]);
      break;
    case HBG_STATEMENT_MACHINE: hbg_text_add(text, "  machine %s = %s\n", words[0], words[1]); break;
    case HBG_STATEMENT_DEFAULT: hbg_text_add(text, "  %s %s\n", words[0], words[1]); break;
    default: return;
  }
  note(writer, begin, statement);
}

const char *hbg_builder_write(const HbgBuilder *builder, HbgArena *arena, const HbgPassage **passages, int32_t *passage_count) {
  Writer writer = {.builder = builder, .text = hbg_text(arena)};
  hbg_text_add(&writer.text, "model %s {\n", builder->name);
  for (int32_t at = 0; at < builder->statement_count; at++) {
    const HbgStatement *statement = &builder->statements[at];
    if (statement->kind == HBG_STATEMENT_ELEMENT) write_element(&writer, statement);
    else if (statement->kind == HBG_STATEMENT_TYPE) write_type(&writer, statement);
    else write_line(&writer, statement);
  }
  hbg_text_add(&writer.text, "}\n");
  *passages = writer.passages;
  *passage_count = writer.count;
  return writer.text.bytes;
}
