/* SPDX-License-Identifier: BSD-3-Clause
 * HyBrSim: all of the public interface. */
#ifndef HYBRSIM_HYBRSIM_H
#define HYBRSIM_HYBRSIM_H
#include "hybrsim/builder.h"
#include "hybrsim/diagram.h"
#include "hybrsim/editor.h"
#include "hybrsim/editing.h"
#include "hybrsim/model.h"
#include "hybrsim/plot.h"
#include "hybrsim/results.h"
#include "hybrsim/run.h"
#include "hybrsim/status.h"

/* The version of these headers; hbg_version() is that of the library a program has found. */
#define HBG_VERSION "0.1.0"
#endif
