/* SPDX-License-Identifier: BSD-3-Clause
 * The laws of the elements made ready for causality: each law in every form it can be brought to, and who reads whom. Made
 * once per run; what follows from it per mode is in template.h. */
#ifndef EQUATIONS_LAWS_H
#define EQUATIONS_LAWS_H

#include "causality/assign.h"
#include "equations/slot.h"

/* A law at `reader` (a bond of the element) reads a variable of bond `read`. */
typedef struct HbgLink {
  int32_t reader, read;
} HbgLink;

typedef struct HbgLaws {
  const HbgFlatModel *model;
  HbgExprPool pool; /* a copy of the model's; everything the equations add goes here */
                                /* meaning                                                     shape         */
  HbgExpr *effort_law;          /* e = ..., 0 when the law has no such form                     (node_count)  */
  HbgExpr *flow_law;            /* f = ...                                                      (node_count)  */
  HbgExpr *implicit_law;        /* 0 = ..., of an R or a storage that lacks a form it may need  (node_count)  */
  HbgWish *wish;                /* what the forms ask of causality                              (node_count)  */
  int32_t *link_start;          /* links that touch a bond: link_list[link_start[b] .. [b + 1]) (bond_count+1)*/
  HbgLink *link_list;
  int32_t *reader_start;        /* nodes whose law reads a machine's state                      (machine_count+1) */
  int32_t *reader_list;
  int32_t *read_start;          /* machines whose state a node's law reads                      (node_count+1)*/
  int32_t *read_list;
  int32_t *turning_start;       /* nodes whose law reads a scheduled condition                  (tick_count+1)*/
  int32_t *turning_list;
  int32_t *tick_start;          /* scheduled conditions that a node's law reads                 (node_count+1)*/
  int32_t *tick_list;
  int32_t *switched_start;      /* junctions a machine switches                                 (machine_count+1) */
  int32_t *switched_list;
  bool read_time;               /* some law reads the time itself */
  bool branch_on_time;          /* ... or some integrator, to choose between branches */
  double fastest_wave;          /* of sines of the time in laws [1/s]; 0: there is none */
  uint8_t *discrete_is_read;    /* some law reads this discrete variable                        (variable_count) */
  uint8_t *is_read;             /* some law of another element reads this bond                  (bond_count)  */
  uint8_t *is_demanded;         /* an integrator's input reads this variable                    (2 bond_count)*/
  int32_t *state_slot;          /* work space of templates: a state's index there, valid        (state_count) */
  int32_t *state_stamp;         /* ... where this is `stamp`                                    (state_count) */
  int32_t stamp;
  HbgArena *scratch;            /* rewound after every use */
} HbgLaws;

HbgLaws hbg_laws(const HbgFlatModel *model, HbgArena *arena, HbgArena *scratch);
/* Does a law choose between branches by the time, among others? */
bool hbg_law_branches_on_time(HbgExprPool *pool, HbgExpr law);

#endif
