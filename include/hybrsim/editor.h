/* SPDX-License-Identifier: BSD-3-Clause
 * HyBrSim for editors: what stands where in a text, what could stand there, and the one layout of models.
 *
 * A document is a text as it is being written: it may be wrong, and is then understood as far as possible. Places are bytes of
 * the text. A document is for one thread at a time; different ones may be used on several threads at once. Answers belong to
 * the document and live until it is asked something else, or freed; its problems live as long as it. A place beyond
 * the end of the text counts as its end. Every function answers HBG_ARGUMENT when a pointer is missing and HBG_MEMORY when the
 * allocator refused; nothing is changed then. */
#ifndef HYBRSIM_EDITOR_H
#define HYBRSIM_EDITOR_H

#include "hybrsim/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HbgDocument HbgDocument; /* opaque */

/* Reads `text` (UTF-8, `length` bytes, less than 2^31; copied). `options` as for hbg_model_load(); NULL for the defaults. A text
 * with mistakes is a document, too. `*out` is to be freed. */
HBG_API HbgStatus hbg_document_open(const char *text, size_t length, const HbgModelOptions *options, HbgDocument **out);
/* NULL is fine. */
HBG_API void hbg_document_free(HbgDocument *document);

/* Bytes [begin, end). */
typedef struct HbgRange {
  uint32_t begin, end;
} HbgRange;

/* Replace bytes [begin, end) by `text`. */
typedef struct HbgEdit {
  HbgRange range;
  const char *text;
} HbgEdit;

/* ---- what is wrong ---- */

/* A cure that can be applied as it is. */
typedef struct HbgFix {
  const char *title; /* "write `and`" */
  HbgEdit edit;
} HbgFix;

typedef struct HbgProblem {
  const char *code;    /* "E0203" */
  const char *title;   /* what all problems of this code have in common */
  bool is_error;       /* or a warning */
  HbgRange range;      /* empty and 0 when it is about the text as a whole */
  const char *message;
  const char *help;    /* the cure in words; NULL without */
  const HbgRange *related; int32_t related_count; /* other places that have to do with it: where else the name is declared */
  const HbgFix *fixes; int32_t fix_count;
} HbgProblem;

/* Every mistake and warning, in order of place. The first call reads the text as a whole: after each change of a large text it
 * need not be asked at once. */
HBG_API HbgStatus hbg_document_problems(HbgDocument *document, const HbgProblem **problems, int32_t *count);

/* ---- what is here ---- */

/* What stands at byte `at`, in Markdown: kind, law, unit, value, causality; "" when there is nothing to say. `range` is what it
 * is about. */
HBG_API HbgStatus hbg_document_hover(HbgDocument *document, uint32_t at, const char **text, HbgRange *range);

/* The call or the use of a machine around a place. */
typedef struct HbgSignature {
  const char *text;          /* "limit(x, lowest, highest)" */
  const char *meaning;       /* "" without */
  const HbgRange *arguments; /* bytes of `text` */
  int32_t argument_count;
  int32_t active;            /* the argument that stands at the place; may be argument_count or more */
} HbgSignature;
/* `text` is "" when the place is in no parentheses of a call. */
HBG_API HbgStatus hbg_document_signature(HbgDocument *document, uint32_t at, HbgSignature *signature);

/* ---- what could stand here ---- */

typedef enum HbgProposalKind {
  HBG_PROPOSAL_WORD, HBG_PROPOSAL_ELEMENT_KIND, HBG_PROPOSAL_PARAMETER, HBG_PROPOSAL_SIGNAL, HBG_PROPOSAL_ELEMENT,
  HBG_PROPOSAL_JUNCTION, HBG_PROPOSAL_BOND, HBG_PROPOSAL_MACHINE, HBG_PROPOSAL_MACHINE_TYPE, HBG_PROPOSAL_STATE,
  HBG_PROPOSAL_FUNCTION, HBG_PROPOSAL_CONSTANT, HBG_PROPOSAL_MEMBER, HBG_PROPOSAL_UNIT, HBG_PROPOSAL_SUBMODEL
} HbgProposalKind;

typedef struct HbgProposal {
  const char *text;
  HbgProposalKind kind;
  const char *detail; /* one line; "" without */
} HbgProposal;
/* What could be written at byte `at`, in the order in which it should be offered; what is begun there is not yet left out. */
HBG_API HbgStatus hbg_document_proposals(HbgDocument *document, uint32_t at, const HbgProposal **proposals, int32_t *count);

/* ---- names ---- */

typedef struct HbgUse {
  HbgRange range;
  bool is_declaration;
} HbgUse;
typedef struct HbgDeclaration {
  HbgRange range;
  const char *path, *text; /* of the file that declares it, when it is another one: one that is imported; NULL: this text */
} HbgDeclaration;
/* Where the name at byte `at` is declared: several places where its array is declared in pieces. */
HBG_API HbgStatus hbg_document_declarations(HbgDocument *document, uint32_t at, const HbgDeclaration **declarations, int32_t *count);
/* Where it is declared and used, in order of place. */
HBG_API HbgStatus hbg_document_uses(HbgDocument *document, uint32_t at, const HbgUse **uses, int32_t *count);
/* What has to change so that the name at byte `at` becomes `name`, everywhere. `*reason` is "" , or says why that cannot be:
 * there are no edits then. With `name` NULL only whether there is a name that could have another one; `*range` is where
 * (either may be NULL). */
HBG_API HbgStatus hbg_document_rename(HbgDocument *document, uint32_t at, const char *name, const HbgEdit **edits, int32_t *count,
                                      HbgRange *range, const char **reason);

/* ---- what the text is made of ---- */

typedef struct HbgOutlineItem {
  const char *name;
  const char *detail; /* "I", "signal", "type of machines" */
  HbgProposalKind kind;
  int32_t parent;     /* index of an item before it, -1: of the file */
  HbgRange range;     /* of all of it */
  HbgRange name_range;
} HbgOutlineItem;
HBG_API HbgStatus hbg_document_outline(HbgDocument *document, const HbgOutlineItem **items, int32_t *count);
/* Blocks, brackets and comments of several lines. */
HBG_API HbgStatus hbg_document_folds(HbgDocument *document, const HbgRange **folds, int32_t *count);

typedef enum HbgColour {
  HBG_COLOUR_WORD, HBG_COLOUR_KIND, HBG_COLOUR_NUMBER, HBG_COLOUR_UNIT, HBG_COLOUR_COMMENT, HBG_COLOUR_OPERATOR, HBG_COLOUR_PARAMETER,
  HBG_COLOUR_VARIABLE, HBG_COLOUR_ELEMENT, HBG_COLOUR_MACHINE, HBG_COLOUR_STATE, HBG_COLOUR_FUNCTION, HBG_COLOUR_MEMBER, HBG_COLOUR_COUNT
} HbgColour;
typedef struct HbgColoured {
  HbgRange range;
  HbgColour colour;
  bool is_declaration;
} HbgColoured;
/* What each word is, in order of place. */
HBG_API HbgStatus hbg_document_colours(HbgDocument *document, const HbgColoured **colours, int32_t *count);

/* ---- layout ---- */

/* What has to change between bytes `begin` and `end` (all of the text: 0 and UINT32_MAX) so that it is laid out like all models:
 * blanks and ends of lines only, never a token or a comment. None when it is already. HBG_MODEL_WRONG, and no edits, when the
 * text cannot be read: what it means must be known to keep it. */
HBG_API HbgStatus hbg_document_format(HbgDocument *document, uint32_t begin, uint32_t end, const HbgEdit **edits, int32_t *count);

#ifdef __cplusplus
}
#endif
#endif
