/* SPDX-License-Identifier: BSD-3-Clause
 * Machine types that are read and changed. */
#include "support/edited.h"

static const char *edited(const char *text, const HbgMachineEditing *editing, const char *machine, char **out) {
  static char reason[400];
  HbgDocument *document = edited_open(text);
  HbgChange change;
  assert_int_equal(hbg_document_edit_machine(document, "", machine, editing, &change), HBG_OK);
  snprintf(reason, sizeof reason, "%s", change.reason);
  *out = edited_apply(text, &change);
  if (*change.reason) assert_int_equal(change.count, 0);
  hbg_document_free(document);
  return reason;
}

/* The edit makes `expected` of the body of a machine M, between its braces; NULL: it is refused, and the reason holds `why`. */
static void check(const char *body, HbgMachineEditing editing, const char *expected, const char *why) {
  char text[1500], wanted[1500], *out = NULL;
  assert_true(snprintf(text, sizeof text, "model A {\n  0 c by M(time)\n  machine M(x) {%s}\n  stop 1\n}\n", body) > 0);
  const char *reason = edited(text, &editing, "M", &out);
  if (expected) {
    if (*reason) fail_msg("it says: %s", reason);
    assert_true(snprintf(wanted, sizeof wanted, "model A {\n  0 c by M(time)\n  machine M(x) {%s}\n  stop 1\n}\n", expected) > 0);
    assert_string_equal(out, wanted);
  } else if (!strstr(reason, why) || !*reason) {
    fail_msg("it says: %s", reason);
  }
  free(out);
}

static HbgMachineEditing state_edit(HbgMachineEdit edit, const char *state, bool is_on, const char *text) {
  return (HbgMachineEditing){.edit = edit, .state = state, .is_on = is_on, .text = text};
}

static HbgMachineEditing transition_edit(HbgMachineEdit edit, int32_t transition, const char *text) {
  return (HbgMachineEditing){.edit = edit, .transition = transition, .text = text};
}

/* ---- reading ---- */

static const char nested[] =
    "model A {\n"
    "  param limit = 2\n"
    "  0 c by M(time, 1)\n"
    "  machine M(x, y) {\n"
    "    var n = 0\n"
    "    off waiting, gone\n"
    "    on  charging history {\n"
    "      on fast, slow initial\n"
    "      fast -> slow  when x > limit\n"
    "      region pump { off still; on running; still -> running after 2 [s] }\n"
    "    }\n"
    "    waiting -> charging  after 10 [s] when pre(x) > 1 do n := n + 1 priority 2\n"
    "    charging.slow -> gone when pre(x) > 1 and x > y  // both\n"
    "    enter charging do n := 0\n"
    "  }\n"
    "}\n";

static void all_of_a_machine_is_read(void **state) {
  (void)state;
  HbgDocument *document = edited_open(nested);
  HbgMachineText machine;
  const char *reason;
  assert_int_equal(hbg_document_machine(document, "", "M", &machine, &reason), HBG_OK);
  assert_string_equal(reason, "");
  assert_string_equal(machine.parameters, "x, y");
  static const struct {
    const char *name;
    bool is_on, is_initial, has_inner;
  } states[] = {{"waiting", 0, 0, 0}, {"gone", 0, 0, 0}, {"charging", 1, 1, 1}, {"charging.fast", 1, 0, 0}, {"charging.slow", 1, 1, 0},
                {"charging.pump.still", 0, 0, 0}, {"charging.pump.running", 1, 1, 0}};
  assert_int_equal(machine.state_count, 7);
  for (int i = 0; i < 7; i++) {
    assert_string_equal(machine.states[i].name, states[i].name);
    assert_int_equal(machine.states[i].is_on, states[i].is_on);
    assert_int_equal(machine.states[i].is_initial, states[i].is_initial);
    assert_int_equal(machine.states[i].has_inner, states[i].has_inner);
  }
  static const struct {
    const char *from, *to, *after, *guard, *actions;
    bool minus, plus;
  } transitions[] = {{"charging.fast", "charging.slow", "", "x > limit", "", 0, 1},
                     {"charging.pump.still", "charging.pump.running", "2 [s]", "", "", 0, 1},
                     {"waiting", "charging", "10 [s]", "pre(x) > 1", "do n := n + 1 priority 2", 1, 1},
                     {"charging.slow", "gone", "", "pre(x) > 1 and x > y", "", 1, 1}};
  assert_int_equal(machine.transition_count, 4);
  for (int i = 0; i < 4; i++) {
    const HbgMachineTransitionText *transition = &machine.transitions[i];
    assert_string_equal(transition->from, transitions[i].from);
    assert_string_equal(transition->to, transitions[i].to);
    assert_string_equal(transition->after, transitions[i].after);
    assert_string_equal(transition->guard, transitions[i].guard);
    assert_string_equal(transition->actions, transitions[i].actions);
    assert_int_equal(transition->has_a_priori, transitions[i].minus);
    assert_int_equal(transition->has_a_posteriori, transitions[i].plus);
    assert_memory_equal(nested + transition->guard_range.begin, transition->guard, strlen(transition->guard));
  }
  assert_int_equal(hbg_document_machine(document, "", "Z", &machine, &reason), HBG_OK);
  assert_non_null(strstr(reason, "no machine type `Z`"));
  assert_int_equal(machine.state_count, 0);
  hbg_document_free(document);
}

static void types_beside_the_model_and_without_states_are_read(void **state) {
  (void)state;
  HbgDocument *document = edited_open("machine T(c) { on -> off when not c; off -> on when c and pre(c) }\nsubmodel S(port a) { }\n");
  HbgMachineText machine;
  const char *reason;
  assert_int_equal(hbg_document_machine(document, "S", "T", &machine, &reason), HBG_OK);
  assert_string_equal(reason, "");
  assert_int_equal(machine.state_count, 2);
  assert_string_equal(machine.states[0].name, "on");
  assert_true(machine.states[0].is_initial && machine.states[0].is_on && !machine.states[1].is_on);
  assert_string_equal(machine.transitions[1].to, "on");
  hbg_document_free(document);
}

/* ---- states ---- */

static void a_state_is_added_behind_the_last(void **state) {
  (void)state;
  check("\n    off a  initial\n    on  b                                   // b\n    a -> b  when x > 1\n  ", state_edit(HBG_MACHINE_ADD_STATE, "d", true, NULL),
        "\n    off a  initial\n    on  b                                   // b\n    on  d\n    a -> b  when x > 1\n  ", NULL);
  check(" off a; on b ", state_edit(HBG_MACHINE_ADD_STATE, "d", false, NULL), " off a; on b; off d ", NULL);
  check("", state_edit(HBG_MACHINE_ADD_STATE, "d", false, NULL), " on on initial; off off; off d ", NULL);
  check("\n    on -> off  when x > 1\n  ", state_edit(HBG_MACHINE_ADD_STATE, "d", true, NULL),
        "\n    on  on  initial\n    off off\n    on  d\n    on -> off  when x > 1\n  ", NULL);
  // what it begins in stays
  check(" off a, b ", state_edit(HBG_MACHINE_ADD_STATE, "d", true, NULL), " off a initial, b; on d ", NULL);
  // into a state, with and without others in it, and into a region
  check(" off a { off b }; on c { }; region r { off e } ", state_edit(HBG_MACHINE_ADD_STATE, "a.d", true, NULL), " off a { off b initial; on d }; on c { }; region r { off e } ", NULL);
  check(" off a; on c ", state_edit(HBG_MACHINE_ADD_STATE, "c.d", true, NULL), " off a; on c { on d } ", NULL);
  check(" off a; region r { off e } ", state_edit(HBG_MACHINE_ADD_STATE, "r.d", false, NULL), " off a; region r { off e; off d } ", NULL);
  check(" /* none */ ", state_edit(HBG_MACHINE_ADD_STATE, "d", false, NULL), " /* none */ on on initial; off off; off d ", NULL);
  check(" off a ", state_edit(HBG_MACHINE_ADD_STATE, "a", false, NULL), NULL, "already");
  check(" off a ", state_edit(HBG_MACHINE_ADD_STATE, "z.b", false, NULL), NULL, "no state or region");
  check(" off a ", state_edit(HBG_MACHINE_ADD_STATE, "2", false, NULL), NULL, "no name");
  check(" off a ", state_edit(HBG_MACHINE_ADD_STATE, "on", false, NULL), NULL, "cannot be called");
}

static void a_state_goes_with_its_transitions(void **state) {
  (void)state;
  check("\n    off a  initial\n    on  b                                   // why b\n    on  d\n    a -> b  when x > 1                      // ab\n    a -> d  when x > 2\n    enter b do n := 1\n  ",
        state_edit(HBG_MACHINE_REMOVE_STATE, "b", false, NULL),
        "\n    off a  initial\n    // why b\n    on  d\n    // ab\n    a -> d  when x > 2\n  ", NULL);
  check(" off a, b, d; a -> b when x > 1; b -> d when x > 2 ", state_edit(HBG_MACHINE_REMOVE_STATE, "b", false, NULL), " off a, d ", NULL);
  check(" off a initial, b; on d ", state_edit(HBG_MACHINE_REMOVE_STATE, "a", false, NULL), " off b initial; on d ", NULL);
  check(" on a; off b; on d ", state_edit(HBG_MACHINE_REMOVE_STATE, "a", false, NULL), " off b initial; on d ", NULL);
  check(" on a; on b; off d ", state_edit(HBG_MACHINE_REMOVE_STATE, "a", false, NULL), " on b; off d ", NULL);
  // with all that is in it
  check(" off a; a -> b when x > 1; b -> a when x < 1; off b; b -> b when x > 2; a -> b when x > 3; on c ", state_edit(HBG_MACHINE_REMOVE_STATE, "a", false, NULL), " off b; b -> b when x > 2; on c ", NULL);
  check(" off a; on b { on c, d; c -> d when x > 1 }; b.c -> a when x > 3; d -> a when x > 4; a -> b when x > 5 ", state_edit(HBG_MACHINE_REMOVE_STATE, "b", false, NULL), " off a ", NULL);
  check(" on -> off when x > 1; off -> on when x < 1 ", state_edit(HBG_MACHINE_REMOVE_STATE, "on", false, NULL), " off off; ", NULL);
  check(" off a ", state_edit(HBG_MACHINE_REMOVE_STATE, "a", false, NULL), NULL, "last state");
  check(" off a { on b } ", state_edit(HBG_MACHINE_REMOVE_STATE, "a.b", false, NULL), NULL, "last state");
  check(" off a ", state_edit(HBG_MACHINE_REMOVE_STATE, "q", false, NULL), NULL, "no state `q`");
}

static void check_rename(const char *text, const char *state, const char *name, const char *expected) {
  char *out;
  const HbgMachineEditing editing = state_edit(HBG_MACHINE_RENAME_STATE, state, false, name);
  const char *reason = edited(text, &editing, "M", &out);
  if (expected) {
    if (*reason) fail_msg("it says: %s", reason);
    assert_string_equal(out, expected);
  } else {
    assert_true(*reason);
  }
  free(out);
}

static void a_state_has_another_name_wherever_it_is_read(void **state) {
  (void)state;
  check_rename("model A { 0 c by M; machine m2 = M(); signal s = c in a or m2 in a, a = 1; machine N(y) { off a; on b; a -> b when y }; 0 d by N(c in a)\n"
               "machine M { off a initial; on b { on e }; a -> b.e when c in a; b.e -> a when time > 2; leave a do z := 1 } }",
               "a", "free",
               "model A { 0 c by M; machine m2 = M(); signal s = c in free or m2 in free, a = 1; machine N(y) { off a; on b; a -> b when y }; 0 d by N(c in free)\n"
               "machine M { off free initial; on b { on e }; free -> b.e when c in free; b.e -> free when time > 2; leave free do z := 1 } }");
  check_rename("model A { 0 c by M; signal s = c in b\nmachine M { off a; on b { on e }; a -> b.e when time > 1; b.e -> a when time > 2 } }", "b", "out",
               "model A { 0 c by M; signal s = c in out\nmachine M { off a; on out { on e }; a -> out.e when time > 1; out.e -> a when time > 2 } }");
  check_rename("model A { machine p = M(); signal s = p.r in e; machine M { off a; region r { off e; on f; e -> f when time > 1 } } }", "r.e", "still",
               "model A { machine p = M(); signal s = p.r in still; machine M { off a; region r { off still; on f; still -> f when time > 1 } } }");
  check_rename("model A { 0 c by M; signal s = c in on; machine M { on -> off when time > 1 } }", "on", "joined",
               "model A { 0 c by M; signal s = c in on; machine M { on joined initial; off off; joined -> off when time > 1 } }");
  check_rename("model A { machine M { off a; on b } }", "a", "b", NULL);
  check_rename("model A { machine M { off a { on c }; on b { on c } } }", "a.c", "d", NULL);
  check_rename("model A { machine M { off a; on b } }", "a", "then", NULL);
}

static void another_state_is_initial(void **state) {
  (void)state;
  check("\n    off a  initial\n    on  b\n  ", state_edit(HBG_MACHINE_SET_INITIAL, "b", false, NULL), "\n    off a\n    on  b  initial\n  ", NULL);
  check(" off a initial, b ", state_edit(HBG_MACHINE_SET_INITIAL, "b", false, NULL), " off a, b initial ", NULL);
  check(" off a initial, b history { on c, d } ", state_edit(HBG_MACHINE_SET_INITIAL, "b", false, NULL), " off a, b initial history { on c, d } ", NULL);
  check(" off a initial, b { on c, d } ", state_edit(HBG_MACHINE_SET_INITIAL, "d", false, NULL), " off a initial, b { on c, d initial } ", NULL);
  check(" on a, b ", state_edit(HBG_MACHINE_SET_INITIAL, "a", false, NULL), " on a, b ", NULL);
  check("", state_edit(HBG_MACHINE_SET_INITIAL, "off", false, NULL), " on on; off off initial ", NULL);
}

static void on_and_off_are_changed(void **state) {
  (void)state;
  check("\n    off a  initial\n    on  b                                   // b\n  ", state_edit(HBG_MACHINE_SET_ON, "b", false, NULL), "\n    off a  initial\n    off b                                   // b\n  ", NULL);
  check(" off a initial, b, c ", state_edit(HBG_MACHINE_SET_ON, "b", true, NULL), " off a initial, c; on b ", NULL);
  check(" off a initial, b ", state_edit(HBG_MACHINE_SET_ON, "a", true, NULL), " off b; on a initial ", NULL);
  check(" off a, b ", state_edit(HBG_MACHINE_SET_ON, "b", true, NULL), " off a initial; on b ", NULL);
  check(" on a, b { off c; on d } ", state_edit(HBG_MACHINE_SET_ON, "a", false, NULL), " on b { off c; on d }; off a initial ", NULL);
  check(" on a; on b ", state_edit(HBG_MACHINE_SET_ON, "a", false, NULL), " off a initial; on b ", NULL);
  check("", state_edit(HBG_MACHINE_SET_ON, "on", false, NULL), NULL, "cannot be called `on`");
}

/* ---- transitions ---- */

static void a_transition_is_added_where_its_states_are(void **state) {
  (void)state;
  HbgMachineEditing editing = {.edit = HBG_MACHINE_ADD_TRANSITION, .state = "b", .other = "a", .text = "x < 0"};
  check("\n    off a  initial\n    on  b\n    a -> b  when x > 1                      // up\n  ", editing,
        "\n    off a  initial\n    on  b\n    a -> b  when x > 1                      // up\n    b -> a  when x < 0\n  ", NULL);
  check(" off a; on b ", editing, " off a; on b; b -> a when x < 0 ", NULL);
  editing.text = "after 2 [s] when x < 0";
  check(" off a; on b ", editing, " off a; on b; b -> a after 2 [s] when x < 0 ", NULL);
  editing = (HbgMachineEditing){.edit = HBG_MACHINE_ADD_TRANSITION, .state = "b.d", .other = "b.c", .text = "x < 0"};
  check(" off a; on b { on c, d } ", editing, " off a; on b { on c, d; d -> c when x < 0 } ", NULL);
  editing.other = "a";
  check(" off a; on b { on c, d } ", editing, " off a; on b { on c, d }; d -> a when x < 0 ", NULL);
  check(" off a { on c, d }; on b { on c, d } ", editing, " off a { on c, d }; on b { on c, d }; b.d -> a when x < 0 ", NULL);
  editing.other = "r.e";
  check(" off a; on b { on c, d }; region r { off e } ", editing, NULL, "different regions");
  editing = (HbgMachineEditing){.edit = HBG_MACHINE_ADD_TRANSITION, .state = "on", .other = "off", .text = "x < 0"};
  check("", editing, " on -> off when x < 0 ", NULL);
  editing.text = "";
  check("", editing, NULL, "needs a condition");
  editing.text = "x > 1\n a -> b when x > 2";
  check("", editing, NULL, "more, or less");
  editing.text = "x > 1 do n := 1";
  check("", editing, NULL, "more, or less");
  editing.text = "x > 1 // hm";
  check("", editing, NULL, "comment");
}

static const char three[] = "\n    off a  initial\n    on  b\n    a -> b  when x > 1 and pre(x) < 2  // one\n    b -> a  after 2 [s] when x < 1 do n := 2  // two\n    b -> b  after 3 [s]\n  ";

static void a_condition_is_written_anew(void **state) {
  (void)state;
  check(three, transition_edit(HBG_MACHINE_SET_GUARD, 0, " x>3 "),
        "\n    off a  initial\n    on  b\n    a -> b  when x > 3  // one\n    b -> a  after 2 [s] when x < 1 do n := 2  // two\n    b -> b  after 3 [s]\n  ", NULL);
  check(three, transition_edit(HBG_MACHINE_SET_GUARD, 1, "x > 3"),
        "\n    off a  initial\n    on  b\n    a -> b  when x > 1 and pre(x) < 2  // one\n    b -> a  after 2 [s] when x > 3 do n := 2  // two\n    b -> b  after 3 [s]\n  ", NULL);
  check(three, transition_edit(HBG_MACHINE_SET_GUARD, 1, ""),
        "\n    off a  initial\n    on  b\n    a -> b  when x > 1 and pre(x) < 2  // one\n    b -> a  after 2 [s] do n := 2  // two\n    b -> b  after 3 [s]\n  ", NULL);
  check(three, transition_edit(HBG_MACHINE_SET_GUARD, 1, "when x > 3"),
        "\n    off a  initial\n    on  b\n    a -> b  when x > 1 and pre(x) < 2  // one\n    b -> a  when x > 3 do n := 2  // two\n    b -> b  after 3 [s]\n  ", NULL);
  check(three, transition_edit(HBG_MACHINE_SET_GUARD, 0, "after 5 [s]"),
        "\n    off a  initial\n    on  b\n    a -> b  after 5 [s]  // one\n    b -> a  after 2 [s] when x < 1 do n := 2  // two\n    b -> b  after 3 [s]\n  ", NULL);
  check(three, transition_edit(HBG_MACHINE_SET_GUARD, 2, "x > 5"),
        "\n    off a  initial\n    on  b\n    a -> b  when x > 1 and pre(x) < 2  // one\n    b -> a  after 2 [s] when x < 1 do n := 2  // two\n    b -> b  after 3 [s] when x > 5\n  ", NULL);
  check(three, transition_edit(HBG_MACHINE_SET_GUARD, 0, ""), NULL, "needs a condition");
  check(three, transition_edit(HBG_MACHINE_SET_GUARD, 0, "x >"), NULL, "cannot be read");
  check(three, transition_edit(HBG_MACHINE_SET_GUARD, 0, "x > 1 }"), NULL, "");
  check(three, transition_edit(HBG_MACHINE_SET_GUARD, 3, "x > 1"), NULL, "no transition number 4");
  check(three, transition_edit(HBG_MACHINE_SET_GUARD, -1, "x > 1"), NULL, "no transition number");
}

static void transitions_go_and_change_their_order_with_their_comments(void **state) {
  (void)state;
  check(three, transition_edit(HBG_MACHINE_REMOVE_TRANSITION, 2, NULL),
        "\n    off a  initial\n    on  b\n    a -> b  when x > 1 and pre(x) < 2  // one\n    b -> a  after 2 [s] when x < 1 do n := 2  // two\n  ", NULL);
  HbgMachineEditing editing = transition_edit(HBG_MACHINE_MOVE_TRANSITION, 0, NULL);
  check(three, editing,
        "\n    off a  initial\n    on  b\n    b -> a  after 2 [s] when x < 1 do n := 2  // two\n    a -> b  when x > 1 and pre(x) < 2         // one\n    b -> b  after 3 [s]\n  ", NULL);
  editing.is_on = true;
  check(three, editing, NULL, "first transition already");
  editing = (HbgMachineEditing){.edit = HBG_MACHINE_MOVE_TRANSITION, .transition = 1};
  check(" off a; on b; a -> b when x > 1; b -> a when x < 1 ", editing, NULL, "last transition already");
  editing.is_on = true;
  check(" off a; on b; a -> b when x > 1; b -> a when x < 1 ", editing, " off a; on b; b -> a when x < 1; a -> b when x > 1 ", NULL);
  check(" off a; on b; a -> b when x > 1; b -> a when x < 1 ", transition_edit(HBG_MACHINE_REMOVE_TRANSITION, 0, NULL), " off a; on b; b -> a when x < 1 ", NULL);
  check(" a -> b when x > 1 ", transition_edit(HBG_MACHINE_REMOVE_TRANSITION, 0, NULL), " ", NULL);
}

static void a_transition_leads_elsewhere(void **state) {
  (void)state;
  HbgMachineEditing editing = {.edit = HBG_MACHINE_SET_ENDS, .transition = 0, .state = "b", .other = "a"};
  check(" off a; on b; a -> b when x > 1 do n := 2 ", editing, " off a; on b; b -> a when x > 1 do n := 2 ", NULL);
  editing.state = "c.d";
  check(" off a; on b, c { on d }; a -> b when x > 1 ", editing, " off a; on b, c { on d }; d -> a when x > 1 ", NULL);
  editing.state = "z";
  check(" off a; on b; a -> b when x > 1 ", editing, NULL, "no state `z`");
}

/* ---- a machine of one's own ---- */

static void check_add(const char *text, const char *junction, const char *expected, const char *why) {
  HbgDocument *document = edited_open(text);
  HbgChange change;
  assert_int_equal(hbg_document_add_machine(document, "", junction, &change), HBG_OK);
  if (expected) {
    char *out = edited_apply(text, &change);
    assert_string_equal(out, expected);
    assert_int_equal(change.name_count, 1);
    free(out);
  } else if (!strstr(change.reason, why)) {
    fail_msg("it says: %s", change.reason);
  }
  hbg_document_free(document);
}

static void a_junction_gets_a_machine_of_its_own(void **state) {
  (void)state;
  check_add("model A {\n  1 a, contact                              // two\n  a -> contact\n  stop 1\n}\n", "contact",
            "model A {\n  1 a, contact by Contact                   // two\n  a -> contact\n\n  machine Contact {\n    on  connected  initial\n    off separate\n  }\n  stop 1\n}\n", NULL);
  check_add("model A { 1 v[1..2]; machine V { } }", "v[2]", "model A { 1 v[1..2] by V2; machine V { }; machine V2 { on connected initial; off separate } }", NULL);
  check_add("model A { 1 v by V }", "v", NULL, "already");
  check_add("model A { R v(1) }", "v", NULL, "no junction");
  check_add("model A { R v(1) }", "w", NULL, "nothing is called");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_of_a_machine_is_read),
      cmocka_unit_test(types_beside_the_model_and_without_states_are_read),
      cmocka_unit_test(a_state_is_added_behind_the_last),
      cmocka_unit_test(a_state_goes_with_its_transitions),
      cmocka_unit_test(a_state_has_another_name_wherever_it_is_read),
      cmocka_unit_test(another_state_is_initial),
      cmocka_unit_test(on_and_off_are_changed),
      cmocka_unit_test(a_transition_is_added_where_its_states_are),
      cmocka_unit_test(a_condition_is_written_anew),
      cmocka_unit_test(transitions_go_and_change_their_order_with_their_comments),
      cmocka_unit_test(a_transition_leads_elsewhere),
      cmocka_unit_test(a_junction_gets_a_machine_of_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
