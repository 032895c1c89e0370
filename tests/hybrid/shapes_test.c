/* SPDX-License-Identifier: BSD-3-Clause
 * What elements, machines and integrators are apart from their names. */
#include "hybrid/sim.h"

#include "hybrid/shapes.h"
#include "support/elaborated.h"

typedef struct Shaped {
  Elaborated made;
  HbgArena arena;
  HbgSim *sim;
  HbgShapes shapes;
  void (*look)(struct Shaped *self);
} Shaped;

static HbgStatus create(void *user) {
  Shaped *self = user;
  const HbgSimOptions options = {.stop = 1, .interval = 0.1, .tolerance = 1e-6, .method = HBG_METHOD_AUTOMATIC};
  self->sim = hbg_sim_create(&self->made.model, &options, &self->arena);
  self->shapes = hbg_shapes(self->sim, &self->arena);
  self->look(self);
  return HBG_OK;
}

static void with_shapes(const char *text, void (*look)(Shaped *self)) {
  Shaped self = {.arena = hbg_arena((HbgAllocator){0}), .look = look};
  elaborated_begin(&self.made, text);
  assert_int_equal(hbg_guarded(&self.arena, create, &self), HBG_OK);
  hbg_sim_free(self.sim);
  hbg_arena_release_all(&self.arena);
  elaborated_end(&self.made);
}

static const HbgShape *node(Shaped *self, const char *name) {
  return hbg_shape_of_node(self->sim, &self->shapes, (int32_t)(elaborated_node(&self->made, name) - self->made.model.nodes));
}

static const HbgShape *machine(Shaped *self, const char *name) {
  return hbg_shape_of_machine(self->sim, &self->shapes, (int32_t)(elaborated_machine(&self->made, name) - self->made.model.machines));
}

static const HbgShape *integrator(Shaped *self, const char *name) {
  return hbg_shape_of_integrator(self->sim, &self->shapes, (int32_t)(elaborated_state(&self->made, name) - self->made.model.states));
}

static const char parts[] =
    "model Parts {\n"
    " Se a(5), b(5), c(6); 1 u, v, w; R r(2), s(2), t(3); I i(1), j(1), k(1)\n"
    " a -> u -> r; u -> i; b -> v -> s; v -> j; c -> w -> t; w -> k\n"
    " MSf m(2*u.f), n(2*v.f), o(2*u.f + v.f); R x(1), y(1), z(1); m -> x; n -> y; o -> z\n"
    " signal p = integral(u.f - 1), q = integral(v.f - 1), g = integral(v.f - 2)\n"
    " 1 on by On; 1 no by No; 1 so by So; Se d(1), e(1), f(1); R h(1), l(1), y2(1); d -> on -> h; e -> no -> l; f -> so -> y2\n"
    " machine On { off dark initial; on lit; dark -> lit when p > 1 and u.f < 2; lit -> dark when p < 0 }\n"
    " machine No { off dark initial; on lit; dark -> lit when q > 1 and v.f < 2; lit -> dark when q < 0 }\n"
    " machine So { off dark initial; on lit; dark -> lit when q > 1 and v.f < 2; lit -> dark when q < -1 }\n"
    " stop 1\n}\n";

static void look_at_elements(Shaped *self) {
  assert_int_equal(node(self, "r")->number, node(self, "s")->number);
  assert_int_not_equal(node(self, "t")->number, node(self, "s")->number);
  assert_int_equal(node(self, "a")->number, node(self, "b")->number);
  assert_int_not_equal(node(self, "a")->number, node(self, "c")->number);
  assert_int_not_equal(node(self, "i")->number, node(self, "r")->number);
}

static void elements_with_the_same_law_and_numbers_have_one_shape(void **state) {
  (void)state;
  with_shapes(parts, look_at_elements);
}

static void look_at_readers(Shaped *self) {
  assert_int_equal(node(self, "m")->number, node(self, "n")->number);
  assert_int_not_equal(node(self, "m")->number, node(self, "o")->number);
  assert_int_equal(node(self, "m")->reference_count, 1);
  assert_int_equal(node(self, "m")->references[0].kind, HBG_REFERS_TO_BOND);
  assert_int_not_equal(node(self, "m")->references[0].number, node(self, "n")->references[0].number);
  assert_int_equal(node(self, "o")->reference_count, 2);
}

static void what_they_read_is_told_apart_by_places(void **state) {
  (void)state;
  with_shapes(parts, look_at_readers);
}

static void look_at_integrators(Shaped *self) {
  assert_int_equal(integrator(self, "p")->number, integrator(self, "q")->number);
  assert_int_not_equal(integrator(self, "g")->number, integrator(self, "q")->number);
}

static void integrators_of_the_same_have_one_shape(void **state) {
  (void)state;
  with_shapes(parts, look_at_integrators);
}

static void look_at_machines(Shaped *self) {
  assert_int_equal(machine(self, "on")->number, machine(self, "no")->number);
  assert_int_not_equal(machine(self, "so")->number, machine(self, "no")->number);
  assert_int_equal(machine(self, "on")->references[0].kind, HBG_REFERS_TO_STATE);
}

static void machines_with_the_same_guards_have_one_shape(void **state) {
  (void)state;
  with_shapes(parts, look_at_machines);
}

/* Guards that are alike one by one: of `c` they read two states. */
static const char crossed[] =
    "model Crossed {\n"
    " signal p = integral(1), q = integral(1), g = integral(1)\n"
    " 1 a by A; 1 b by B; 1 c by C; Se d(1), e(1), f(1); R h(1), l(1), m(1); d -> a -> h; e -> b -> l; f -> c -> m\n"
    " machine A { off dark initial; on lit; dark -> lit when p > 1; lit -> dark when p < 0 }\n"
    " machine B { off dark initial; on lit; dark -> lit when q > 1; lit -> dark when q < 0 }\n"
    " machine C { off dark initial; on lit; dark -> lit when q > 1; lit -> dark when g < 0 }\n"
    " stop 1\n}\n";

static void look_at_crossed(Shaped *self) {
  const HbgShape *first = machine(self, "a"), *like = machine(self, "b"), *other = machine(self, "c");
  assert_int_equal(like->number, first->number);
  assert_int_equal(like->reference_count, 1);
  assert_int_equal(like->references[0].kind, HBG_REFERS_TO_STATE);
  assert_int_equal(like->references[0].number, (int32_t)(elaborated_state(&self->made, "q") - self->made.model.states));
  assert_int_not_equal(other->number, first->number);
  assert_int_equal(other->reference_count, 2);
}

static void machines_with_guards_alike_have_the_places_of_all_of_them(void **state) {
  (void)state;
  with_shapes(crossed, look_at_crossed);
}

/* u.f*u.f + ... squared again and again: as a list it would be as long as there are ways down into it. */
static const char deep[] =
    "model Deep {\n"
    " Se a(5), b(5), c(6); 1 u, v, w; R r(2), s(2), t(3); I i(1), j(1), k(1)\n"
    " a -> u -> r; u -> i; b -> v -> s; v -> j; c -> w -> t; w -> k\n"
    " signal u1 = (u.f + 1)*(u.f + 1), u2 = (u1 + 2)*(u1 + 2), u3 = (u2 + 3)*(u2 + 3), u4 = (u3 + 4)*(u3 + 4), u5 = (u4 + 5)*(u4 + 5)\n"
    " signal v1 = (v.f + 1)*(v.f + 1), v2 = (v1 + 2)*(v1 + 2), v3 = (v2 + 3)*(v2 + 3), v4 = (v3 + 4)*(v3 + 4), v5 = (v4 + 5)*(v4 + 5)\n"
    " signal w1 = (w.f + 1)*(w.f + 1), w2 = (w1 + 2)*(w1 + 2), w3 = (w2 + 3)*(w2 + 3), w4 = (w3 + 4)*(w3 + 4), w5 = (w4 + 6)*(w4 + 5)\n"
    " signal p = integral((u5 + 6)*(u5 + 6)), q = integral((v5 + 6)*(v5 + 6)), g = integral((w5 + 6)*(w5 + 6))\n"
    " stop 1\n}\n";

static void deep_expressions_have_shapes_like_short_ones(void **state) {
  (void)state;
  with_shapes(deep, look_at_integrators);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_with_the_same_law_and_numbers_have_one_shape),
      cmocka_unit_test(what_they_read_is_told_apart_by_places),
      cmocka_unit_test(integrators_of_the_same_have_one_shape),
      cmocka_unit_test(machines_with_the_same_guards_have_one_shape),
      cmocka_unit_test(machines_with_guards_alike_have_the_places_of_all_of_them),
      cmocka_unit_test(deep_expressions_have_shapes_like_short_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
