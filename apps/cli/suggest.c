/* SPDX-License-Identifier: BSD-3-Clause
 * "Did you mean ...?" */
#include "suggest.h"

#include <string.h>

enum { LONGEST = 32 };

static int smaller(int a, int b) { return a < b ? a : b; }

/* Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (Damerau 1964, Levenshtein 1966,
 * with three rows of the usual table). */
static int distance(const char *a, const char *b) {
  const int m = (int)strlen(a), n = (int)strlen(b);
  if (m > LONGEST || n > LONGEST) return LONGEST;
  int rows[3][LONGEST + 1];
  int *older = rows[0], *old = rows[1], *now = rows[2];
  for (int j = 0; j <= n; j++) old[j] = j;
  for (int i = 1; i <= m; i++) {
    now[0] = i;
    for (int j = 1; j <= n; j++) {
      const int replaced = old[j - 1] + (a[i - 1] != b[j - 1]);
      now[j] = smaller(replaced, smaller(old[j], now[j - 1]) + 1);
      const int can_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (can_swap) now[j] = smaller(now[j], older[j - 2] + 1);
    }
    int *const free_row = older;
    older = old;
    old = now;
    now = free_row;
  }
  return old[n];
}

const char *cli_suggest(const char *word, const char *const *candidates, int32_t candidate_count) {
  const char *best = NULL;
  int least = (int)strlen(word) / 3 + 2; // one mistake in three letters, and one in any case
  for (int32_t i = 0; i < candidate_count; i++) {
    const int needed = distance(word, candidates[i]);
    if (needed >= least) continue;
    least = needed;
    best = candidates[i];
  }
  return best;
}
