/* SPDX-License-Identifier: BSD-3-Clause
 * What all commands share: what was asked for, and where the answers go. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>
#include <stdint.h>

#include "hybrsim/hybrsim.h"
#include "memory.h"

/* What the program answers to the shell; fixed. */
typedef enum ExitStatus { EXIT_DONE = 0, EXIT_MODEL_WRONG = 1, EXIT_USAGE = 2, EXIT_STOPPED = 3 } ExitStatus;

typedef enum Command {
#define COMMAND(name, word, argument, summary, help) COMMAND_##name,
#include "commands.def"
#undef COMMAND
  COMMAND_COUNT
} Command;

/* The letter by which options.def names each command. */
#define COMMAND_LETTERS "hsecpdwfl"

typedef enum Format { FORMAT_AUTOMATIC, FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON } Format;
typedef enum ColourPolicy { COLOUR_AUTOMATIC, COLOUR_ALWAYS, COLOUR_NEVER } ColourPolicy;

/* What the user asked for. */
typedef struct Options {
  Command command;
  bool has_command;
  const char *model;              /* a path, or "-" for standard input */
  const char **files;             /* (file_count) of plot: models and results; of format: models; in order */
  int32_t file_count;
  const char *run_option;         /* the last option given that changes a run; NULL: none */
  HbgModelSetting *settings;      /* (setting_count) */
  int32_t setting_count;
  const char **folders;           /* (folder_count) where imported files are looked for */
  int32_t folder_count;
  double stop, tolerance, step, interval; /* NAN when not given */
  int method;                     /* HbgMethod; -1 when not given */
  int compatible;                 /* HbgCompatible */
  double convergence_factor;      /* NAN when not given */
  int32_t threads;
  const char *times;              /* path of the file of times; NULL when not given */
  const char **columns;           /* (column_count); none: the default ones */
  int32_t column_count;
  const char *mode;
  double at;                      /* of draw: NAN when not given */
  const char *level;              /* of draw; NULL when not given */
  bool hides_signals, hides_labels, is_automatic; /* of draw */
  int picture;                    /* HbgPlotFormat of draw; -1 when not given */
  const char *port, *assets;      /* of studio; NULL when not given */
  bool has_no_browser;            /* of studio */
  const char *output;             /* NULL: standard output */
  Format format;
  ColourPolicy colour;
  HbgPlotOptions plot;
  bool has_pixels, has_dpi;       /* a size of the plot was given in pixels; so many dots per inch were */
  int sliding;                    /* HbgSliding, -1: as the model says */
  int compile;                    /* CompilePolicy */
  bool check; /* of format: change nothing */
  bool relaxation_table, zeno_continue, quiet, timing, help, version;
} Options;

/* The program while it runs one command. */
typedef struct Cli {
  Memory *memory;
  Options options;
  bool has_colour_out, has_colour_error;
  bool has_unicode;               /* the terminal's character set is UTF-8 */
  bool out_is_terminal, error_is_terminal;
  int32_t width;                  /* of standard output [characters]; 0 when it does not matter */
  double load_s;                  /* processor seconds that loading took */
  HbgRunStatistics statistics;    /* of the run, when there was one */
} Cli;

ExitStatus cli_check(Cli *cli);
ExitStatus cli_simulate(Cli *cli);
ExitStatus cli_events(Cli *cli);
ExitStatus cli_causality(Cli *cli);
ExitStatus cli_plot(Cli *cli);
ExitStatus cli_draw(Cli *cli);
ExitStatus cli_studio(Cli *cli);
ExitStatus cli_format(Cli *cli);
ExitStatus cli_lsp(Cli *cli);

/* -- messages, all to standard error (message.c) -- */

/* "hybrsim: " and a printf-like sentence in the colour of errors. */
void cli_error(const Cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for warnings and notes; --quiet silences both. */
void cli_warn(const Cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_note(const Cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An error of usage, with the hint where to read more. Always answers EXIT_USAGE. */
ExitStatus cli_usage_error(const Cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* -- the model (load.c) -- */

/* Reads the model of the options and tells its diagnostics. `*model` is to be freed unless NULL; NULL unless EXIT_DONE. */
ExitStatus cli_model_load(Cli *cli, HbgModel **model);
/* Tells the diagnostics of a text; the status that they amount to. */
struct Source;
ExitStatus cli_model_report(Cli *cli, const struct Source *source);
/* The folders of --library, then those of the environment. */
const char *const *cli_library_folders(const Cli *cli, int32_t *count);
/* "4 elements", "1 element" */
const char *cli_count(const Cli *cli, int64_t count, const char *noun);

/* -- results (writer.c) -- */

struct Output;
/* How results are to be written to `output`, as options and terminal want it. */
HbgWriterOptions cli_writer_options(const Cli *cli, struct Output *output);

/* -- the help texts (help.c) -- */
void cli_help_print(void);
void cli_help_print_command(Command command);
const char *cli_command_word(Command command);

#endif
