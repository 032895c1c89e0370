/* SPDX-License-Identifier: BSD-3-Clause
 * Trajectories and events as tables for people. The first rows are kept until the width of every column is known; then
 * rows go out as they come. */
#ifndef CLI_FACE_H
#define CLI_FACE_H
#include "cli.h"

typedef struct Face Face;

Face *cli_face_new(Cli *cli, const HbgRun *run, bool is_events);
/* Adds the current row of the run; what is ready to be written is added to `text`. */
void cli_face_add(Face *face, const HbgRow *row, HbgText *text);
/* Adds what was kept. */
void cli_face_end(Face *face, HbgText *text);
/* Tells, as a note, which columns there was no room for. */
void cli_face_tell(const Face *face);

#endif
