/* SPDX-License-Identifier: BSD-3-Clause
 * Checks a model against the expected results that lie beside it as data.
 *
 * A file of expectations is read line by line; `#` starts a comment.
 *
 *   tolerance 1e-12          of the numbers that follow, relative to max(1, |expected|)
 *   file NAME                the model of the following cases (at first the one given)
 *   case COMMAND OPTIONS     runs `hybrsim COMMAND MODEL --format csv --quiet OPTIONS`
 *   row T EPS N KIND C=V...  the next row of an event table: stamp, kind (or *), some of its columns
 *   skip                     the row that follows may come later in the table
 *   at T C=V...              the last row at this time
 *   last C=V...              the last row
 *   end                      there are no more rows
 *   exit STATUS              (0 is expected when nothing is said)
 *   says TEXT                standard error contains this text, upper and lower case alike
 *   says_near VALUE TOL      standard error contains a number this close to the value
 *
 * A value is a word (`on`, a state's name) or a number, which may bring its own tolerance: `coil.p=2.454211~1e-6`. */
#ifndef TESTS_SUPPORT_EXPECTATIONS_H
#define TESTS_SUPPORT_EXPECTATIONS_H

/* Checks `model` and whatever else the file `expectations` names, all of them in `folder`. */
void check_expectations(const char *folder, const char *expectations, const char *model);

#endif
