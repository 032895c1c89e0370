/* SPDX-License-Identifier: BSD-3-Clause
 * What integrators read of junctions that many share: numbers where ideal sources impose them, else the bond beside what they read besides. */
#include "hybrid/rails.h"

#include <string.h>

#include "equations/slot.h"
#include "support/check.h"
#include "support/elaborated.h"

typedef struct Apart {
  Elaborated made;
  HbgArena arena;
  const HbgFlatModel *model;
} Apart;

static void begin(Apart *self, const char *text) {
  self->arena = hbg_arena((HbgAllocator){0});
  elaborated_begin(&self->made, text);
  self->model = hbg_rails_apart(&self->made.model, &self->arena);
}

static void end(Apart *self) {
  hbg_arena_release_all(&self->arena);
  elaborated_end(&self->made);
}

/* The bonds and numbers that the integral `name` reads, in their order: "a->b.e 12 c->d.f". */
typedef struct Written {
  const HbgFlatModel *model;
  char text[200];
} Written;

static bool write_leaf(HbgExprPool *pool, HbgExpr expr, void *user) {
  Written *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const size_t used = strlen(self->text), room = sizeof self->text - used;
  if (node->op == HBG_OP_CONSTANT) snprintf(self->text + used, room, "%g ", node->value);
  if (hbg_variable_of(node) < 0) return true;
  const HbgBond *bond = &self->model->bonds[node->index];
  snprintf(self->text + used, room, "%s->%s.%c ", self->model->nodes[bond->tail].name, self->model->nodes[bond->head].name, node->op == HBG_OP_FLOW ? 'f' : 'e');
  return true;
}

static void check_reads(const Apart *self, const char *name, const char *expected) {
  Written written = {.model = self->model};
  HbgExprPool pool = self->model->pool;
  for (int32_t state = 0; state < self->model->state_count; state++)
    if (!strcmp(self->model->states[state].name, name)) hbg_expr_visit(&pool, self->model->states[state].input, write_leaf, &written);
  assert_string_equal(written.text, expected);
}

#define CONSUMERS                                                                                               \
  " 0 rail; supply -> rail; for i in 1..3 { 1 line[i]; I coil[i](1); R wire[i](1); rail -> line[i] -> coil[i]; line[i] -> wire[i]\n" \
  "  signal drawn[i] = integral(rail.e*line[i].f), mixed[i] = integral(rail.e - coil[i].e) }\n"

static void what_a_source_imposes_is_a_number(void **state) {
  (void)state;
  Apart self;
  begin(&self, "model M {\n Se supply(12)\n" CONSUMERS " signal own = integral(supply.e*supply.f)\n stop 1\n}");
  assert_ptr_not_equal(self.model, &self.made.model);
  check_reads(&self, "drawn[2]", "line[2]->coil[2].f 12 ");
  check_reads(&self, "own", "supply->rail.f 12 ");
  end(&self);
  begin(&self, "model M {\n Sf pump(3); 1 pipe; pump -> pipe; R r(2); pipe -> r; signal heat = integral(r.e*pipe.f), e = integral(r.e)\n stop 1\n}");
  check_reads(&self, "heat", "3 pipe->r.e ");
  check_reads(&self, "e", "pipe->r.e ");
  end(&self);
}

static void what_varies_is_asked_for_beside_the_rest(void **state) {
  (void)state;
  Apart self;
  begin(&self, "model M {\n Se supply(12 + sin(time))\n" CONSUMERS " stop 1\n}");
  for (int i = 1; i <= 3; i++) {
    char name[20], expected[60];
    snprintf(name, sizeof name, "drawn[%d]", i);
    snprintf(expected, sizeof expected, "rail->line[%d].f rail->line[%d].e ", i, i);
    check_reads(&self, name, expected);
  }
  end(&self);
}

static void who_reads_no_rail_is_left_alone(void **state) {
  (void)state;
  Apart self;
  begin(&self, "model M {\n Se u(sin(time)); 1 v; I m(1); R r(1); u -> v; v -> m; v -> r; signal x = integral(v.f), heat = integral(r.e*r.f)\n stop 1\n}");
  assert_ptr_equal(self.model, &self.made.model);
  end(&self);
  begin(&self, "model M {\n Se u(3); 1 v; I m(1); u -> v; v -> m\n stop 1\n}"); // nor who adds up nothing
  assert_ptr_equal(self.model, &self.made.model);
  end(&self);
}

static void a_rail_that_is_off_is_no_number(void **state) {
  (void)state;
  static const char gate[] = " machine Gate(g) { on closed initial; off open; closed -> open when g }\n stop 1\n}";
  char text[500];
  snprintf(text, sizeof text, "model M {\n Se u(12); 0 rail by Gate(time > 0.5); R r(2), s(3); u -> rail; rail -> r; rail -> s; signal both = integral(rail.e), own = integral(u.e)\n%s", gate);
  Apart self;
  begin(&self, text);
  assert_ptr_equal(self.model, &self.made.model);
  end(&self);
  // a wire that is cut behind it is nothing to the rail
  snprintf(text, sizeof text, "model M {\n Se u(12); 0 rail; 1 wire by Gate(time > 0.5); R r(2), s(3); u -> rail; rail -> r; rail -> wire -> s; signal power = integral(rail.e*wire.f)\n%s", gate);
  begin(&self, text);
  check_reads(&self, "power", "rail->wire.f 12 ");
  end(&self);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_a_source_imposes_is_a_number),
      cmocka_unit_test(what_varies_is_asked_for_beside_the_rest),
      cmocka_unit_test(who_reads_no_rail_is_left_alone),
      cmocka_unit_test(a_rail_that_is_off_is_no_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
