/* SPDX-License-Identifier: BSD-3-Clause
 * What everything that writes results shares. */
#ifndef API_WRITER_H
#define API_WRITER_H

#include "api/api.h"
#include "base/text.h"
#include "hybrsim/results.h"

bool hbg_writer_options_are_sound(const HbgWriterOptions *options);
/* Hands `text` to the sink and empties it. HBG_SINK when that takes no more. */
HbgStatus hbg_text_hand_out(HbgText *text, const HbgWriterOptions *options);

#endif
