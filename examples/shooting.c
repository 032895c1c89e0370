/* SPDX-License-Identifier: BSD-3-Clause
 * Copies a run and goes on from it in several ways. A tank runs out through a valve; at 10 s it is to be filled up so that at
 * 60 s just 0.05 m^3 are left. How much must be in it? Each try is a copy that is given another volume; secants find the answer. */
#include <hybrsim/hybrsim.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
    "model Tank {\n"
    "  C tank(1e-4)  start q = 1 [m^3]            // q is the volume, e the pressure [Pa]\n"
    "  R valve: f = 2e-4*sqrt(max(e, 0))          // turbulent flow\n"
    "  0 outlet\n"
    "  outlet -> tank;  outlet -> valve\n"
    "  stop 60 [s]\n"
    "}\n";

static const double wanted = 0.05;

/* What is left at the end when the tank holds `volume` now, less what is wanted; the run itself stays where it is. */
static double miss(const HbgRun *run, int32_t content, double volume) {
  HbgRun *copy;
  HbgRow row;
  const HbgStoredValue value = {"tank.q", volume};
  if (hbg_run_copy(run, &copy) != HBG_OK) return NAN;
  HbgStatus status = hbg_run_set(copy, &value, 1, NULL);
  while (status == HBG_OK) status = hbg_run_next(copy, &row);
  const double left = status == HBG_END ? hbg_run_read(copy, content) : NAN;
  hbg_run_free(copy);
  return left - wanted;
}

int main(void) {
  HbgModel *model;
  HbgRun *run;
  HbgRow row;
  int32_t content;
  if (hbg_model_load(text, strlen(text), NULL, &model) != HBG_OK) return 1;
  if (hbg_run_create(model, NULL, &run, NULL) != HBG_OK) return 1;
  if (hbg_run_find(run, "tank.q", &content, NULL) != HBG_OK || hbg_run_until(run, 10, &row) != HBG_OK) return 1;
  printf("at 10 s the tank holds %.4f m^3\n", hbg_run_read(run, content));
  double a = 0.9, b = 1, miss_a = miss(run, content, a), miss_b = miss(run, content, b);
  for (int round = 0; round < 20 && fabs(miss_b) > 1e-7; round++) {
    const double next = b - miss_b * (b - a) / (miss_b - miss_a);
    a = b, miss_a = miss_b;
    b = next, miss_b = miss(run, content, b);
  }
  printf("it must hold %.4f m^3\n", b);
  hbg_run_free(run);
  hbg_model_free(model);
}
