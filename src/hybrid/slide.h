/* SPDX-License-Identifier: BSD-3-Clause
 * Sliding: where two states of machines would take turns without end on a surface, time goes on along the surface by the
 * combination of both that stays on it (Filippov, Differential Equations with Discontinuous Righthand Sides, 1988):
 *
 *   x' = (1 - d) F_here + d F_there,     d from  d/dt h(x, t) = 0,     0 <= d <= 1.
 *
 * h is the difference of the guard that leads there; the guard that leads back is about the same surface. Several surfaces at
 * once: x' = F_here + sum d_j (F_there,j - F_here), which is the only candidate where the machines act independently.
 * While it lasts, the machines stand in their states `here`; d is the share of time they are `there`. */
#ifndef HYBRID_SLIDE_H
#define HYBRID_SLIDE_H

#include "base/key_table.h"
#include "hybrid/guards.h"
#include "hybrid/island_run.h"
#include "numerics/dense.h"

struct HbgSim;

/* The ways out of a slide for one of its machines. */
typedef struct HbgWaysOut {
  HbgConjunction *list;
  int32_t count, capacity;
} HbgWaysOut;

/* Machines that switch together where the difference `which` of `to` vanishes; whatever the others do. */
typedef struct HbgSurface {
  const HbgConjunction *to, *back; /* the guard that leads there, and the one that leads back */
  int32_t which, sign;             /* `to` asks for sign * difference > 0 */
  int32_t back_which;              /* and the difference of `back` */
  int32_t count;                   /* machines */
  int32_t *machines, *here, *there; /* and their states on both sides (count); the machine of `to` comes first */
  HbgWaysOut *ways_out;            /* of each machine (count) */
  int32_t number;                  /* in the order in which surfaces were met first */
  bool is_active;
  int32_t begun;                   /* in which instant, by the stamp of its scope */
  bool is_stale;                   /* it is to be looked at when slides are renewed */
  struct HbgSlide *slide;          /* in the present mode of the others */
  struct HbgSlide *grouped;        /* ... as the present groups have it; NULL: they do not */
} HbgSurface;

typedef struct HbgSurfaceList {
  HbgSurface **list;
  int32_t count, capacity;
} HbgSurfaceList;

typedef struct HbgStateList {
  int32_t *list, count, capacity;
} HbgStateList;

typedef struct HbgIslandList {
  HbgIsland **list;
  int32_t count, capacity;
} HbgIslandList;

/* Sliding on a surface in one mode of the other machines. All lists ascend and have everything once. */
typedef struct HbgSlide {
  HbgSurface *surface;
  HbgIslandList here;       /* present islands that differ on the other side */
  HbgIslandList there;      /* those that take their places there */
  HbgIslandList islands;    /* present ones whose rates are needed, `here` among them */
  HbgIslandList read;       /* present ones whose variables the surface reads */
  HbgIslandList own;        /* of a slide with a line: present ones by which alone it is what it is, as long as no other slide is solved for with it */
  HbgStateList integrators; /* integrators of signals whose rates differ, or are needed */
  HbgStateList support;     /* states whose rates differ on the other side */
  HbgStateList needed;      /* states on which the surface depends */
  HbgStateList states;      /* all that any of this reads */
  HbgStateList ticks;       /* scheduled conditions that islands of it read ... */
  uint8_t *tick;            /* ... as they are while it is this slide (ticks.count) */
  bool reads_time;          /* the surface moves by itself */
  bool surface_reads_mode;  /* the difference itself reads scheduled conditions, discrete variables or machines */
  bool reads_mode;          /* it, or what both sides are, reads what turns at instants: scheduled conditions, discrete variables, machines */
  bool reads_everything;    /* a source that hangs is among it, whose law may read anything */
  int32_t number;           /* in the order in which slides were met first */
  int64_t schedule_changes; /* of the simulation, when the islands there were run last */
  struct HbgSlideLine *line; /* slide_line.h; NULL: it is none */
  struct HbgSlideGroup *alone; /* the group of this slide only; NULL: not made yet */
  struct HbgSlideGroup *group; /* of the present groups, and the slide's place in it */
  int32_t place;
} HbgSlide;

/* What is added to the diagonal where surfaces are dependent: so little a body that is held may leave its surfaces, against the forces there are. */
#define HBG_SLIDE_LITTLE 1e-9

/* Slides that must be solved for together, or that change the same islands. Of one that has a line `islands` may have gone since, but for those of the slide's own. */
typedef struct HbgSlideGroup {
  HbgSlide **slides; int32_t count;
  HbgIslandList islands;
  HbgStateList integrators, states;
  HbgStateList relevant;   /* states whose rates differ or are needed */
  HbgProbe inputs;         /* of the integrators */
  bool reads_everything;
  bool are_lines;          /* all have one that does not bend, and none changes what another one changes or needs */
  bool are_bent;           /* the same, but that some bend */
  bool knows_dependence, are_dependent; /* a surface is met wherever others are: which of them hold, and with what, is open */
  int32_t blended;         /* the last time that it was blended with others */
                           /* meaning                                              shape */
  double *base;            /* rates here                                           (relevant.count) */
  double *change;          /* what each slide changes in them, wholly there        (count, relevant.count) */
  double *rate;            /* rates along the surfaces                             (relevant.count) */
  double *saved;           /* states                                               (relevant.count) */
  double *approach;        /* rate of each oriented difference here                (count) */
  double *matrix;          /* what each slide (column) changes in it (row)         (count, count) */
  double *share;           /* d                                                    (count) */
  HbgLu lu;
} HbgSlideGroup;

/* Are they lines, bent or not? Then each slide of it is for itself. */
static inline bool hbg_slide_group_is_known(const HbgSlideGroup *group) { return group->are_lines || group->are_bent; }

/* A guard at whose surface a slide has ended: it counts again when difference `which` has left zero. */
typedef struct HbgDisarmed {
  const HbgConjunction *guard; /* NULL: none */
  int32_t which;
} HbgDisarmed;

/* All slides of a run. */
typedef struct HbgSlides {
  bool is_allowed;
  HbgSurface **active; int32_t count, capacity;     /* by their first machines */
  HbgSurface **of_machine;                          /* the active surface of each machine, NULL (machine_count) */
  HbgDisarmed *disarmed;                            /* of each machine (machine_count) */
  const double *unprojected;                        /* states of this instant as they were integrated, before they were put back on surfaces; NULL: they were not (state_count) */
  double *left;                                     /* when each machine left a surface by a guard last [s], -infinity (machine_count) */
  HbgSlideGroup **groups; int32_t group_count, group_capacity;
  HbgKeyTable surfaces, slides, known_groups;
  struct HbgSlideReads *reads;                      /* made when first needed */
  double *rate;                                     /* work space (state_count) */
  int32_t *place, *stamp_of_state;                  /* (state_count) */
  int32_t stamp;
  HbgSurfaceList stale;                             /* surfaces that have come or gone, or an island of theirs has */
  HbgSurfaceList *of_tick;                          /* surfaces of slides that read each scheduled condition (tick_count) */
  bool are_known;                                   /* every group is one of lines, bent ones or not */
  bool are_single;                                  /* ... and every group is one slide */
  int32_t bent_count;                               /* lines that bend */
  int32_t far_count;                                /* lines that follow states of other islands than those that they change */
  int32_t carried_count;                            /* lines whose surfaces the time carries along: these, integration leaves by its error */
  int32_t *changers, *needers;                      /* how many lines change and need each state (state_count) */
  int32_t blend;                                    /* counts what is blended at once */
  const char *dropped_since;                        /* why the last slide has ended that was dropped */
  const char **refusal;                             /* why a machine that chatters does not slide, NULL (machine_count) */
} HbgSlides;

void hbg_slides_begin(struct HbgSim *sim);

/* ---- slide.c: which machines slide ---- */
/* The ways out of the present state of a machine: the guards of the state, or those of its slide. */
const HbgConjunction *hbg_leaving(const struct HbgSim *sim, int32_t machine, int32_t *count);
/* The surface with the guards, differences and machines of `wanted`; met before or made now. */
HbgSurface *hbg_surface(struct HbgSim *sim, const HbgSurface *wanted);
/* A guard located at the end of a step is about to fire: where the one that leads back asks for the other side of the same
 * difference, or zero, it must not undo this at once. */
void hbg_surface_cross(struct HbgSim *sim, const HbgConjunction *fired);
/* Has a slide ended on the surface of `guard`, or has it been crossed there, and is it still there: `before` the instant, and on the values `now` on which the guard is
 * examined, as in a law what looks back takes another value behind the instant than in it? */
bool hbg_is_disarmed(const struct HbgSim *sim, const HbgConjunction *guard, const HbgValues *now, const HbgValues *before);
void hbg_surface_activate(struct HbgSim *sim, HbgSurface *surface);
/* Ends the slide of a surface, on the side `there` or `here`: sets the states of its machines. */
void hbg_surface_end(struct HbgSim *sim, HbgSurface *surface, bool is_there);
/* The names of its machines. */
const char *hbg_surface_name(const struct HbgSim *sim, const HbgSurface *surface);

/* ---- slide_mode.c: what a slide is in the present mode ---- */
/* After a change of mode: the slides and groups of the active surfaces. False: in an instant that is near what they need has no solution. */
bool hbg_slides_renew(struct HbgSim *sim);
/* `surface` has come or gone, and is to be looked at then. */
void hbg_surface_note(struct HbgSim *sim, HbgSurface *surface);
/* `island` has gone; or a scheduled condition has turned. */
void hbg_slides_note_gone(struct HbgSim *sim, const HbgIsland *island);
void hbg_slides_note_turned(struct HbgSim *sim, int32_t tick);
/* The slide on a surface in the present mode, in which its machines are `here`; met before or made now. */
HbgSlide *hbg_slide(struct HbgSim *sim, HbgSurface *surface);
/* ---- slide_needs.c, slide_sides.c ---- */
/* Does an integrator of signals read a machine of the surface? */
bool hbg_surface_is_integrated(struct HbgSim *sim, const HbgSurface *surface);
/* The present islands of the bonds of `of`, from the scratch arena. */
HbgIslandList hbg_islands_at(struct HbgSim *sim, const HbgIslandList *of);
/* Takes the machines of a surface to one side, and enters the mode. */
void hbg_surface_go(struct HbgSim *sim, const HbgSurface *surface, bool is_there);

/* ---- slide_rates.c: the dynamics of a group ---- */
/* The rates of islands, and of a group's integrators, at sim->now and with machines as they stand, into slides.rate. */
bool hbg_islands_run(struct HbgSim *sim, const HbgIslandList *islands);
/* The rate of a storage that is cut off, from what its neighbours have sent; nothing for other islands. */
void hbg_island_receive(struct HbgSim *sim, const HbgIsland *island);
void hbg_slide_group_integrate(struct HbgSim *sim, HbgSlideGroup *group);
/* Solves M x = right in place. False where M is singular. */
bool hbg_slide_group_divide(HbgSlideGroup *group, double *right);
/* Shares and rates at sim->now. False where they cannot be had. */
bool hbg_slide_group_solve(struct HbgSim *sim, HbgSlideGroup *group);
/* Is everything the same on both sides of a slide in the present mode, like a brake that has been let go of? Then nothing holds the state on its surface, and
 * `*leads_there` tells where to it is going. Of slides without a line, whose groups are known. */
bool hbg_slide_is_void(struct HbgSim *sim, HbgSlide *slide, bool *leads_there);
/* Do both sides lead away in the present mode, as where friction has become its contrary? `*leads_there`: the one that leads away faster. Of slides for themselves. */
bool hbg_slide_repels(struct HbgSim *sim, HbgSlide *slide, bool *leads_there);
/* Has it turned out that nothing moves the surface of slide `row`, on whichever side? */
bool hbg_slide_group_is_held(const HbgSlideGroup *group, int32_t row);
/* ---- slide_limits.c ---- */
/* For the guards by which slides end: of shares that are outside of 0 and 1 together, those outside whose slides end when all others stay within
 * (group->count, into `told`). False: there is no such choice, or it has not been found. */
bool hbg_slide_group_limit(HbgArena *scratch, const HbgSlideGroup *group, double *told);

/* Shares alone, at sim->now. */
bool hbg_slide_group_find_shares(struct HbgSim *sim, HbgSlideGroup *group);
/* The rates of all groups into `rate` (per state of the model), over those of the states `here`. */
bool hbg_slides_rates(struct HbgSim *sim, double *rate);
/* Shares, and means of the variables, at sim->now. */
bool hbg_slide_group_blend(struct HbgSim *sim, HbgSlideGroup *group);
/* Of all groups, or in an instant of some things of those that these are about. */
bool hbg_slides_blend(struct HbgSim *sim);
/* What is added to the value of `probe`, whose machines are `here`, so that it is the mean over the states that they take. */
double hbg_slides_add_mean(struct HbgSim *sim, HbgProbe *probe);
/* The derivative of the oriented difference of slide `which` along `direction` (relevant_count) [1/s]. */
double hbg_slide_along(struct HbgSim *sim, HbgSlideGroup *group, int32_t which, const double *direction, bool in_time);

/* ---- slide_surface.c: staying on the surface ---- */
/* The differences of a guard at sim->now, into the pairs of its probe, with sizes that tell what is next to nothing. */
void hbg_guard_measure(struct HbgSim *sim, const HbgConjunction *guard);
/* An instant begins, and sim->now.state is about to be put back on surfaces: what crossings were located on is kept in the scratch arena. */
void hbg_slides_keep_unprojected(struct HbgSim *sim);
/* Puts sim->now.state back on all surfaces. `*moved`: by more than round-off. */
bool hbg_slides_project(struct HbgSim *sim, bool *moved);
/* After states (`jumped`), or what surfaces or the laws of islands read besides (`have_turned`), have jumped, or islands have been exchanged (`islands_have_turned`): ends the
 * slides whose surfaces have been left, each on the side where it is, and those that both sides do not hold there any more. Answers how many machines have come to stand in one of their states, which are put into `changed` (machine_count): a mode that is
 * still to be entered. */
int32_t hbg_slides_drop(struct HbgSim *sim, bool jumped, bool have_turned, bool islands_have_turned, int32_t *changed);

/* ---- slide_beyond.c ---- */
/* The ways out of slides that read what turns at instants, whose shares are below 0 or above 1 by now (slides.count at most, into `list`). How many? */
int32_t hbg_slides_beyond(const struct HbgSim *sim, const HbgConjunction **list);
/* ---- slide_pairs.c ---- */
/* Do the machines of every two slides act independently, so that their combination is unique? Else HBG_STOPPED. */
HbgStatus hbg_slide_group_check(struct HbgSim *sim, HbgSlideGroup *group);

/* ---- slide_apart.c ---- */
/* Is it clear from sums of states that the machine of `to`, which has come to hold and fired, does not slide? */
bool hbg_slide_is_out(struct HbgSim *sim, const HbgConjunction *to);

/* ---- slide_enter.c ---- */
/* May hbg_slides_enter() find anything at all? Cheap, and asks only for what the located guards and their ways back read. */
bool hbg_slides_may_begin(struct HbgSim *sim, const HbgConjunction *const *located, int32_t located_count);
/* In an instant without a jump the machines of `changed` have switched, from `first_phi`, since guards of `located` came to
 * hold. Would they switch back at once? Then they slide from now on: their states are those of `first_phi`, the mode is
 * entered, and `*text` tells it; else it stays NULL. HBG_STOPPED where two answers are possible. */
HbgStatus hbg_slides_enter(struct HbgSim *sim, const HbgConjunction *const *located, int32_t located_count,
                           const int32_t *first_phi, const char **text);

#endif
