/* SPDX-License-Identifier: BSD-3-Clause
 * What an editor asks of a text: what is here, what could stand here, where else is it, what is the text made of. */
#ifndef EDITOR_VIEW_H
#define EDITOR_VIEW_H

#include "editor/format.h"
#include "editor/names.h"
#include "hybrsim/editor.h"
#include "hybrsim/model.h"
#include "model/model.h"

/* A text as far as it is understood. Answers lie in `arena`. */
typedef struct HbgView {
  const HbgTree *tree;
  const HbgNames *names;
  const HbgFlatModel *model;     /* NULL while the text is wrong */
  const HbgCausality *causality; /* of the initial mode; NULL when not known */
  HbgArena *arena;
} HbgView;

/* What stands at byte `at`, in Markdown; NULL when there is nothing to say. `*span` is what it is about (hover.c). */
const char *hbg_view_hover(const HbgView *view, uint32_t at, HbgSpan *span);
/* What could be written at byte `at` (completion.c). */
const HbgProposal *hbg_view_proposals(const HbgView *view, uint32_t at, int32_t *count);
/* How a name is shown that is proposed. */
HbgProposalKind hbg_proposal_kind(HbgNameKind kind);
/* The call around byte `at`; false when there is none (signature.c). */
bool hbg_view_signature(const HbgView *view, uint32_t at, HbgSignature *out);
/* Where the name at byte `at` is declared, or declared and used (places.c). */
const HbgDeclaration *hbg_view_declarations(const HbgView *view, uint32_t at, int32_t *count);
const HbgUse *hbg_view_uses(const HbgView *view, uint32_t at, int32_t *count);
/* The name at byte `at`, -1 when there is none. */
int32_t hbg_view_name_at(const HbgView *view, uint32_t at, HbgSpan *span);
/* The declarations of the text as a tree, parents before their children (outline.c). */
const HbgOutlineItem *hbg_view_outline(const HbgView *view, int32_t *count);
/* What can be folded away. */
const HbgRange *hbg_view_folds(const HbgView *view, int32_t *count);
/* The colour of every token that has one, in order of place. */
const HbgColoured *hbg_view_colours(const HbgView *view, int32_t *count);
/* Everything that has to change so that the name at byte `at` becomes `name`. NULL and a reason when that cannot be (rename.c). */
const HbgTextChanges *hbg_view_rename(const HbgView *view, uint32_t at, const char *name, const char **reason);
/* The mechanical cures of a mistake (fixes.c). */
const HbgFix *hbg_view_fixes(const HbgView *view, const HbgDiagnostic *diagnostic, int32_t *count);

#endif
