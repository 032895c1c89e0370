/* SPDX-License-Identifier: BSD-3-Clause
 * The sentences behind the statuses. */
#include "base/status.h"

const char *hbg_status_text(HbgStatus status) {
  static const char *const texts[HBG_STATUS_COUNT] = {
#define TEXT(name, text) [HBG_##name] = text,
      HBG_STATUS_LIST(TEXT)
#undef TEXT
  };
  if ((int)status < 0 || status >= HBG_STATUS_COUNT) return "an unknown status";
  return texts[status];
}
