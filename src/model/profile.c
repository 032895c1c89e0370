/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/profile.h"

#include <math.h>

double hbg_profile_end(const HbgProfile *profile, const HbgLookUpTable *table, int32_t piece) {
  if (piece >= hbg_look_up_break_count(table)) return (double)INFINITY;
  return (hbg_look_up_break(table, piece) - profile->rest) / profile->slope;
}

int32_t hbg_profile_piece_behind(const HbgProfile *profile, const HbgLookUpTable *table, int32_t piece, double t) {
  while (hbg_profile_end(profile, table, piece) <= t) piece++;
  return piece;
}

int32_t hbg_profile_piece(const HbgProfile *profile, const HbgLookUpTable *table, double t) {
  int32_t piece = hbg_look_up_piece_at(table, profile->slope * t + profile->rest);
  // instants are quotients, and this was none
  while (piece > 0 && hbg_profile_end(profile, table, piece - 1) > t) piece--;
  return hbg_profile_piece_behind(profile, table, piece, t);
}

bool hbg_profile_jumps(const HbgLookUpTable *table, int32_t piece) {
  const double end = hbg_look_up_break(table, piece), before = hbg_look_up_piece_value(table, piece, 0, end),
               behind = hbg_look_up_piece_value(table, piece + 1, 0, end);
  return before < behind || before > behind;
}

const bool *hbg_profile_list_pieces(const HbgFlatModel *model, HbgArena *arena) {
  bool *is_piece = ARENA_NEW(arena, bool, model->variable_count);
  for (int32_t update = 0; update < model->update_count; update++)
    if (model->updates[update].kind == HBG_UPDATE_PIECE) is_piece[model->updates[update].variable] = true;
  return is_piece;
}
