/* SPDX-License-Identifier: BSD-3-Clause
 * Where lines end. They end where the author let them end; but a block of several lines begins behind its brace and has the
 * closing one for itself, a brace does not stand alone, and there is one blank line where there were more. */
#include "editor/layout.h"

/* A brace that begins a line goes up to what it belongs to; not past a comment. */
static bool goes_up(const HbgLayout *layout, int32_t at) {
  if (at == 0 || !piece_is(layout, at, "{") || piece_begins(layout, at)) return false;
  return layout->pieces[at - 1].token >= 0;
}

/* A brace stays below a line with something wrong in it: what closes a quote that was left open there may stand behind the brace. */
static void keep_breaks(HbgLayout *layout) {
  bool is_line_wrong = false;
  for (int32_t at = 1; at < layout->count; at++) {
    HbgPiece *piece = &layout->pieces[at];
    const bool is_edge = piece_is(layout, at - 1, "{") || piece_is(layout, at, "}");
    const int32_t most = is_edge ? 1 : 2;
    is_line_wrong = is_line_wrong || piece_is_kind(layout, at - 1, HBG_TOKEN_WRONG);
    piece->breaks = goes_up(layout, at) && !is_line_wrong ? 0 : piece->newlines < most ? piece->newlines : most;
    if (piece->breaks > 0) is_line_wrong = false;
  }
}

/* Does a line end between the brace and its partner? */
static bool has_break(const HbgLayout *layout, const int32_t *breaks_before, int32_t opening) {
  return breaks_before[layout->pieces[opening].partner + 1] > breaks_before[opening + 1];
}

static void break_around(HbgLayout *layout, int32_t opening) {
  const int32_t closing = layout->pieces[opening].partner;
  // a comment behind the brace stays there, when nothing stands behind it
  int32_t begin = opening + 1;
  if (layout->pieces[begin].token < 0 && layout->pieces[begin].breaks == 0 && piece_ends_line(layout, begin)) begin++;
  if (layout->pieces[begin].breaks == 0) layout->pieces[begin].breaks = 1;
  if (layout->pieces[closing].breaks == 0) layout->pieces[closing].breaks = 1;
}

static void break_blocks(HbgLayout *layout) {
  int32_t *breaks_before = ARENA_NEW(layout->arena, int32_t, layout->count + 1);
  for (int32_t at = 0; at < layout->count; at++)
    breaks_before[at + 1] = breaks_before[at] + (layout->pieces[at].breaks > 0);
  for (int32_t at = 0; at < layout->count; at++)
    if (piece_is(layout, at, "{") && layout->pieces[at].partner >= 0 && has_break(layout, breaks_before, at))
      break_around(layout, at);
}

static void find_alone(HbgLayout *layout) {
  int32_t first = -1; /* of the statement that is being walked through */
  bool is_alone = false;
  for (int32_t at = 0; at < layout->count; at++) {
    if (!piece_begins(layout, at)) continue;
    const bool begins_line = at == 0 || layout->pieces[at].breaks > 0;
    if (first >= 0) layout->pieces[first].is_alone = is_alone && begins_line;
    is_alone = begins_line;
    first = at;
  }
  if (first >= 0) layout->pieces[first].is_alone = is_alone;
}

void hbg_layout_lines(HbgLayout *layout) {
  keep_breaks(layout);
  break_blocks(layout);
  find_alone(layout);
}
