/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/reasons.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hybrid/conflict.h"
#include "hybrid/sim.h"
#include "model/guard_terms.h"

/* ---- in words ---- */

/* Machines that laws imply switch where nobody looks, but for their slides. */
static bool is_shown(const HbgSim *sim, const HbgConjunction *fired) {
  return fired->machine < sim->implied.first || fired->surface;
}

int32_t hbg_shown_firings(const HbgSim *sim, const HbgConjunction *const *fired, int32_t count) {
  int32_t shown = 0;
  for (int32_t at = 0; at < count; at++) shown += is_shown(sim, fired[at]);
  return shown;
}

/* Without a format: every machine has causes of its own. */
static void add_word(HbgText *text, const char *word) { hbg_text_add_bytes(text, word, strlen(word)); }

const char *hbg_fired_text(HbgSim *sim, const HbgConjunction *const *list, int32_t count, HbgDecision decision) {
  HbgText text = hbg_text(&sim->scratch);
  int32_t told = 0;
  for (int32_t at = 0; at < count && told < 4; at++) {
    const HbgConjunction *fired = list[at];
    if (!is_shown(sim, fired)) continue;
    if (told++) add_word(&text, "; ");
    if (fired->surface) add_word(&text, "slide left on ");
    add_word(&text, sim->model->machines[fired->machine].name);
    add_word(&text, ": ");
    add_word(&text, hbg_conjunction_text(sim, fired));
  }
  const int32_t more = hbg_shown_firings(sim, list, count) - told;
  if (more) hbg_text_add(&text, "; and %d more", more);
  if (decision == HBG_DECIDED_BY_IMPULSE) add_word(&text, " (by impulse)");
  if (decision == HBG_DECIDED_BY_CONFLICT) add_word(&text, " (sources fight)");
  return text.bytes;
}

const char hbg_reason_is_input[] = "input", hbg_reason_is_law[] = "a law jumps";

const char *hbg_reason_in_words(HbgSim *sim, const char *reason, double t) {
  if (reason == hbg_reason_is_law) return hbg_print(&sim->scratch, "a law jumps at t = %.9g s", t);
  if (reason != hbg_reason_is_input) return reason;
  return t > 0 ? hbg_print(&sim->scratch, "input at t = %.9g s", t) : "the start";
}

/* ---- terms ---- */

static HbgTermsProbe *make_probe(HbgSim *sim, int32_t machine, int32_t transition) {
  HbgTermsProbe *made = ARENA_NEW(sim->arena, HbgTermsProbe, 1);
  HbgExprPool *pool = hbg_sim_reader_pool(sim);
  const HbgGuardTerms terms = hbg_model_guard_terms(sim->model, pool, machine, transition);
  HbgExpr *exprs = ARENA_NEW(sim->arena, HbgExpr, terms.count);
  made->terms = ARENA_NEW(sim->arena, HbgFiredTerm, terms.count);
  made->count = terms.count;
  for (int32_t at = 0; at < terms.count; at++) {
    const HbgGuardTerm *term = &terms.list[at];
    const char *unit = term->unit || term->is_boolean ? term->unit : hbg_model_unit(sim->model, pool, term->expr);
    made->terms[at] = (HbgFiredTerm){
        .text = term->text, .unit = unit, .is_boolean = term->is_boolean, .is_a_priori = term->is_a_priori};
    exprs[at] = hbg_implied_read(&sim->implied, pool, term->expr);
  }
  made->probe = hbg_probe(sim->model, pool, exprs, terms.count, sim->arena);
  return made;
}

static void make_probes(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  int32_t count = 0;
  sim->terms.start = ARENA_NEW(sim->arena, int32_t, model->machine_count);
  for (int32_t machine = 0; machine < model->machine_count; machine++) {
    sim->terms.start[machine] = count;
    count += model->machines[machine].transition_count;
  }
  sim->terms.list = ARENA_NEW(sim->arena, HbgTermsProbe *, count);
}

static HbgTermsProbe *probe_of(HbgSim *sim, int32_t machine, int32_t transition) {
  if (!sim->terms.start) make_probes(sim);
  HbgTermsProbe **place = &sim->terms.list[sim->terms.start[machine] + transition];
  if (!*place) *place = make_probe(sim, machine, transition);
  return *place;
}

static const HbgFiredTerm *read_terms(HbgSim *sim, HbgTermsProbe *from, const HbgValues *now) {
  HbgFiredTerm *terms = ARENA_NEW(&sim->scratch, HbgFiredTerm, from->count);
  hbg_probe_run_pairs(&from->probe, now, &sim->before);
  for (int32_t at = 0; at < from->count; at++) {
    const HbgPair *pair = hbg_probe_pair(&from->probe, at);
    const bool has_impulse = fabs(pair->area) > HBG_AREA_BAND * pair->area_size;
    terms[at] = from->terms[at];
    terms[at].value = pair->value + 0.0;  // no -0
    terms[at].impulse = has_impulse && hbg_area_is_counted(pair->area) ? pair->area : 0;
  }
  return terms;
}

const HbgFiredTransition *hbg_reasons_fired(HbgSim *sim, const HbgConjunction *const *list, int32_t count,
                                            const HbgValues *now, int32_t *fired_count) {
  *fired_count = 0;
  if (!sim->options.keeps_reasons) return NULL;
  HbgFiredTransition *fired = ARENA_NEW(&sim->scratch, HbgFiredTransition, count);
  for (int32_t at = 0; at < count; at++) {
    const HbgConjunction *guard = list[at];
    if (guard->machine >= sim->implied.first) continue;
    HbgTermsProbe *probe = probe_of(sim, guard->machine, guard->transition);
    fired[(*fired_count)++] = (HbgFiredTransition){.machine = guard->machine,
                                                   .from = guard->from,
                                                   .to = guard->to,
                                                   .guard = hbg_conjunction_text(sim, guard),
                                                   .terms = read_terms(sim, probe, now),
                                                   .term_count = probe->count};
  }
  return fired;
}

/* ---- impulses ---- */

typedef struct ImpulseList {
  HbgImpulse *list;
  int32_t count, capacity;
} ImpulseList;

static void add_impulse(HbgSim *sim, ImpulseList *to, int32_t variable, double area, double size) {
  if (!(fabs(area) > HBG_AREA_BAND * fmax(fabs(area), size)) || !hbg_area_is_counted(area)) return;
  ARENA_PUSH(&sim->scratch, to->list, to->count, to->capacity) = (HbgImpulse){variable / 2, !(variable % 2), area};
}

static bool is_touched(const HbgSim *sim, int32_t bond) { return sim->scope.is_everything || hbg_scope_has_bond(sim, bond); }

/* What went through bonds within junctions that are one, which comes of what lay behind. */
static void add_inside(HbgSim *sim, ImpulseList *to) {
  const HbgSimplified *within = &sim->simplified;
  double *area = ARENA_NEW(&sim->scratch, double, within->count), *size = ARENA_NEW(&sim->scratch, double, within->count);
  for (int32_t which = 0; which < within->count; which++) {
    for (int32_t at = within->start[which]; at < within->start[which + 1]; at++) {
      const int32_t term = within->term[at];
      if (term >= 0 && !is_touched(sim, term / 2)) continue;
      area[which] += within->factor[at] * (term < 0 ? area[-1 - term] : sim->now.area[term]);
      size[which] += term < 0 ? size[-1 - term] : sim->now.area_size[term];
    }
    add_impulse(sim, to, within->variable[which], area[which], size[which]);
  }
}

static int compare_impulses(const void *a, const void *b) {
  const HbgImpulse *first = a, *second = b;
  return first->bond != second->bond ? first->bond - second->bond : second->is_effort - first->is_effort;
}

static void list_impulses(HbgSim *sim, HbgReasons *reasons) {
  ImpulseList all = {0};
  for (int32_t bond = 0; bond < sim->model->bond_count; bond++)
    for (int32_t variable = 2 * bond; is_touched(sim, bond) && variable < 2 * bond + 2; variable++)
      add_impulse(sim, &all, variable, sim->now.area[variable], sim->now.area_size[variable]);
  add_inside(sim, &all);
  if (sim->simplified.count && all.count) qsort(all.list, (size_t)all.count, sizeof *all.list, compare_impulses);
  reasons->impulses = all.list;
  reasons->impulse_count = all.count;
}

void hbg_reasons_keep(HbgSim *sim, const HbgFiredTransition *fired, int32_t fired_count) {
  if (!sim->options.keeps_reasons) return;
  HbgReasons *reasons = ARENA_NEW(&sim->scratch, HbgReasons, 1);
  *reasons = (HbgReasons){.fired = fired, .fired_count = fired_count};
  list_impulses(sim, reasons);
  sim->queue[sim->queue_count - 1].reasons = reasons;
}

/* ---- asking ---- */

const HbgReasons *hbg_sim_reasons(const HbgSim *sim) {
  static const HbgReasons none = {0};
  const HbgReasons *reasons = sim->current < 0 ? NULL : sim->queue[sim->current].reasons;
  return reasons ? reasons : &none;
}
