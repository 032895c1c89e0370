/* SPDX-License-Identifier: BSD-3-Clause
 * Columns that are filled in later have the values that they would have had at once, to the last bit. */
#include "hybrid/deferred.h"

#include <string.h>

#include "support/converters.h"
#include "support/ride.h"

/* Balls on a line, the walls of which are balls that weigh much. */
static const char balls[] =
    "model Balls(N = 9) {\n for i in 1..N { I ball[i](if i = 1 or i = N then 1e6 else 1) start f = (if i = 1 or i = N then 0 else sin(i*i)); 1 motion[i]; motion[i] -> ball[i]\n"
    "  signal x[i] = integral(motion[i].f, start = i) }\n"
    " for i in 1..N-1 { 0 contact[i] by Impact(x[i+1] - x[i], motion[i].f - motion[i+1].f); Sf rebound[i](pre(motion[i].f - motion[i+1].f))\n"
    "  motion[i] -> contact[i] -> motion[i+1]; rebound[i] -> contact[i] }\n"
    " machine Impact(gap, approach) { off free initial; on touching; free -> touching when gap <= 0 and approach > 0; touching -> free when pre(approach) < 0 }\n stop 20\n}\n";

/* Converters on a source that follows the time. */
static const char rectifiers[] =
    "model Rectifiers(N = 4) {\n Se mains(10*sin(6*time)); 0 rail; mains -> rail\n"
    " for i in 1..N { 1 line[i]; I coil[i](0.1*i); R wire[i](1); 0 node[i]; C c[i](0.2); R load[i](5); 1 s[i] by S(i); Se ground[i](0); R on[i](0.5)\n"
    "  rail -> line[i] -> node[i] -> c[i]; line[i] -> coil[i]; line[i] -> wire[i]; node[i] -> load[i]; node[i] -> s[i] -> ground[i]; s[i] -> on[i] }\n"
    " machine S(i) { off open initial; on closed; open -> closed when mod(time, 0.31) >= 0.05*i; closed -> open when mod(time, 0.31) < 0.05*i }\n stop 20\n}\n";

static HbgSimOptions options_of(double stop, int32_t rows_ahead) {
  return (HbgSimOptions){.stop = stop, .interval = stop / 7, .tolerance = 1e-9, .method = HBG_METHOD_AUTOMATIC, .sliding = true, .rows_ahead = rows_ahead};
}

typedef struct Columns {
  int32_t state, bond; /* that are shown */
} Columns;

/* A row, as far as it is shown: its time, one state, and the effort and flow of one bond. */
typedef struct Seen {
  double time, values[3];
} Seen;

typedef struct Rows {
  Elaborated made;
  HbgArena arena;
  Columns columns;
  HbgSimOptions options;
  HbgSim *sim;
  Seen *list; int32_t count, capacity;
  int32_t mythical; /* rows that are not in the list */
} Rows;

static void add_column(Rows *self, HbgOperation op, int32_t index) {
  const HbgColumn column = {hbg_print(&self->arena, "%d of %d", (int)op, index), HBG_COLUMN_NUMBER, NULL};
  hbg_sim_add_column(self->sim, (HbgColumnInfo){.column = column, .machine = -1}, hbg_expr_leaf(hbg_sim_pool(self->sim), op, index, 0));
}

static HbgStatus go(void *user) {
  Rows *self = user;
  HbgRow row;
  HbgStatus status;
  self->sim = hbg_sim_create(&self->made.model, &self->options, &self->arena);
  add_column(self, HBG_OP_STATE, self->columns.state);
  add_column(self, HBG_OP_EFFORT, self->columns.bond);
  add_column(self, HBG_OP_FLOW, self->columns.bond);
  while ((status = hbg_sim_next(self->sim, &row)) == HBG_OK) {
    Seen seen = {.time = row.time};
    self->mythical += row.kind == HBG_ROW_MYTHICAL;
    if (row.kind == HBG_ROW_MYTHICAL) continue;
    memcpy(seen.values, hbg_sim_values(self->sim), sizeof seen.values);
    ARENA_PUSH(&self->arena, self->list, self->count, self->capacity) = seen;
  }
  return status == HBG_END ? HBG_OK : status;
}

static void begin(Rows *self, const char *text, Columns columns, HbgSimOptions options) {
  *self = (Rows){.columns = columns, .options = options, .arena = hbg_arena((HbgAllocator){0})};
  elaborated_begin(&self->made, text);
  assert_int_equal(hbg_guarded(&self->arena, go, self), HBG_OK);
}

static void end(Rows *self) {
  hbg_sim_free(self->sim);
  hbg_arena_release_all(&self->arena);
  elaborated_end(&self->made);
}

static void check_same(const Rows *a, const Rows *b) {
  assert_int_equal(a->count, b->count);
  for (int32_t at = 0; at < a->count; at++)
    if (memcmp(&a->list[at], &b->list[at], sizeof(Seen)))
      fail_msg("row %d: at %.17g s %.17g %.17g %.17g, at %.17g s %.17g %.17g %.17g", at, a->list[at].time, a->list[at].values[0], a->list[at].values[1],
               a->list[at].values[2], b->list[at].time, b->list[at].values[0], b->list[at].values[1], b->list[at].values[2]);
}

/* Whatever is shown, and however many rows wait at once; some must, each time. */
static void compare(const char *text, double stop) {
  static const Columns shown[] = {{0, 0}, {1, 5}, {3, 2}, {2, 9}};
  static const int32_t ahead[] = {1, 7, 200};
  for (size_t columns = 0; columns < sizeof shown / sizeof *shown; columns++) {
    Rows at_once, later;
    begin(&at_once, text, shown[columns], options_of(stop, 0));
    assert_null(at_once.sim->local->deferred);
    for (size_t which = 0; which < sizeof ahead / sizeof *ahead; which++) {
      begin(&later, text, shown[columns], options_of(stop, ahead[which]));
      assert_non_null(later.sim->local->deferred);
      assert_int_equal(later.sim->local->waiting, 0);
      check_same(&later, &at_once);
      end(&later);
    }
    end(&at_once);
  }
}

static void rows_of_converters_are_those_that_are_filled_in_at_once(void **state) {
  (void)state;
  compare(BOOST_CONVERTERS("4", "0.7"), 2e-3);
  compare(BOOST_CONVERTERS("4", "2.5"), 2e-3); // edges fall together
}

static void rows_of_balls_are_those_that_are_filled_in_at_once(void **state) {
  (void)state;
  compare(balls, 20);
}

static void where_sources_follow_the_time_they_are_as_well(void **state) {
  (void)state;
  for (int ahead = 1; ahead < 100; ahead *= 10) {
    Rows at_once, later;
    begin(&at_once, rectifiers, (Columns){1, 3}, options_of(20, 0));
    begin(&later, rectifiers, (Columns){1, 3}, options_of(20, ahead));
    check_same(&later, &at_once);
    end(&at_once);
    end(&later);
  }
}

/* A diode and the switch beside it infer what they come to in each period; a row behind that may show what the one before it does. */
static void without_rows_of_inferences_the_others_are_the_same(void **state) {
  (void)state;
  for (int32_t bond = 0; bond < 12; bond++) {
    Rows all, wanted;
    HbgSimOptions options = options_of(1e-3, 50);
    begin(&all, BOOST_CONVERTERS("2", "0.7"), (Columns){1, bond}, options);
    options.without_mythical = true;
    begin(&wanted, BOOST_CONVERTERS("2", "0.7"), (Columns){1, bond}, options);
    assert_true(all.mythical > 50);
    assert_int_equal(wanted.mythical, 0);
    check_same(&wanted, &all);
    end(&all);
    end(&wanted);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_of_converters_are_those_that_are_filled_in_at_once),
      cmocka_unit_test(rows_of_balls_are_those_that_are_filled_in_at_once),
      cmocka_unit_test(where_sources_follow_the_time_they_are_as_well),
      cmocka_unit_test(without_rows_of_inferences_the_others_are_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
