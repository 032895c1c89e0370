/* SPDX-License-Identifier: BSD-3-Clause
 * Results as one JSON object (RFC 8259), written piece by piece so that a long run needs no memory:
 *   {"model": "...", "columns": [{"name": ..., "kind": ..., "unit": ...}], "rows": [[...], ...],
 *    "complete": true, "failure": null}
 * Numbers read back exactly; infinities and nan, which JSON has not, are null. */
#ifndef RESULTS_JSON_H
#define RESULTS_JSON_H

#include <stdbool.h>

#include "base/text.h"
#include "results/cell.h"

/* Adds `string` in quotes; NULL is null. Bytes that are not UTF-8 become U+FFFD. */
void hbg_json_add_text(HbgText *text, const char *string);
void hbg_json_add_number(HbgText *text, double value);
/* Adds everything up to the opening bracket of the rows. */
void hbg_json_add_header(HbgText *text, const char *model, const HbgField *fields, int32_t field_count);
void hbg_json_add_row(HbgText *text, const HbgCell *cells, int32_t cell_count, bool is_first);
/* Closes the rows and the object. `failure` is why the run could not go on; NULL when it is complete. */
void hbg_json_add_end(HbgText *text, const char *failure);

#endif
