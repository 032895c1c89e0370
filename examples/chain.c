/* SPDX-License-Identifier: BSD-3-Clause
 * Makes a graph by calls: N bodies in a row, each 1 m behind the one before, the first one moving with 1 m/s. Each contact
 * holds for good, so after k of them k + 1 bodies move with 1/(k + 1) m/s; contact k happens at k (k + 1)/2 s. */
#include <hybrsim/hybrsim.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 5 };

/* Ends the program with what the builder has to say. */
static void must(HbgBuilder *builder, HbgStatus status) {
  if (status == HBG_OK) return;
  fprintf(stderr, "%s\n", status == HBG_ARGUMENT ? hbg_builder_message(builder) : hbg_status_text(status));
  exit(1);
}

static void add_body(HbgBuilder *b, int at) {
  char body[32], motion[32];
  snprintf(body, sizeof body, "body[%d]", at);
  snprintf(motion, sizeof motion, "v[%d]", at);
  must(b, hbg_builder_add_element_number(b, HBG_KIND_I, body, 1));
  must(b, hbg_builder_add_junction(b, HBG_KIND_ONE, motion, NULL));
  must(b, hbg_builder_add_bond(b, motion, body, NULL));
  if (at == 1) must(b, hbg_builder_set_start(b, body, 'f', "1 [m/s]"));
}

static void add_contact(HbgBuilder *b, int at) {
  char contact[32], machine[64], left[32], right[32];
  snprintf(contact, sizeof contact, "contact[%d]", at);
  snprintf(machine, sizeof machine, "Contact(integral(v[%d].f - v[%d].f))", at, at + 1);
  snprintf(left, sizeof left, "v[%d]", at);
  snprintf(right, sizeof right, "v[%d]", at + 1);
  must(b, hbg_builder_add_junction(b, HBG_KIND_ZERO, contact, machine));
  must(b, hbg_builder_add_bond(b, left, contact, NULL));
  must(b, hbg_builder_add_bond(b, contact, right, NULL));
}

int main(void) {
  HbgBuilder *b;
  if (hbg_builder_create("Chain", NULL, &b) != HBG_OK) return 1;
  must(b, hbg_builder_add_machine_type(b, "Contact", "way"));
  must(b, hbg_builder_add_state(b, "Contact", "apart", false, true));
  must(b, hbg_builder_add_state(b, "Contact", "joined", true, false));
  must(b, hbg_builder_add_transition(b, "Contact", "apart", "joined", "way >= 1 [m]"));
  for (int at = 1; at <= BODIES; at++) add_body(b, at);
  for (int at = 1; at < BODIES; at++) add_contact(b, at);
  must(b, hbg_builder_set_default(b, "stop", "20 [s]"));
  HbgModel *model;
  HbgRun *run;
  HbgRow row;
  must(b, hbg_builder_build(b, &model));
  must(b, hbg_run_create(model, NULL, &run, NULL));
  int32_t speed;
  must(b, hbg_run_find(run, "v[1].f", &speed, NULL));
  while (hbg_run_next_event(run, &row) == HBG_OK && hbg_run_until(run, row.time, &row) == HBG_OK)
    printf("%6.3f s  %.6f m/s  %s\n", row.time, hbg_run_read(run, speed), row.cause);
  hbg_run_free(run);
  hbg_model_free(model);
  hbg_builder_free(b);
}
