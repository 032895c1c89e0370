/* SPDX-License-Identifier: BSD-3-Clause
 * From the words of the command line to what the user asked for. */
#include "options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suggest.h"

typedef enum OptionName {
#define OPTION(name, word, argument, commands, help) OPTION_##name,
#include "options.def"
#undef OPTION
  OPTION_COUNT
} OptionName;

typedef struct OptionInfo {
  const char *word, *argument, *commands;
} OptionInfo;

static const OptionInfo option_info[OPTION_COUNT] = {
#define OPTION(name, word, argument, commands, help) [OPTION_##name] = {word, argument, commands},
#include "options.def"
#undef OPTION
};

static const char *const command_words[COMMAND_COUNT] = {
#define COMMAND(name, word, argument, summary, help) word,
#include "commands.def"
#undef COMMAND
};

/* -- values of options ------------------------------------------------------------------------------------------- */

/* A whole text as a number that is positive and finite. */
static ExitStatus read_positive(Cli *cli, OptionName option, const char *text, double *value) {
  char *end;
  *value = strtod(text, &end);
  if (end == text || *end)
    return cli_usage_error(cli, "--%s needs a number, not '%s'", option_info[option].word, text);
  if (!(*value > 0.0) || isinf(*value))
    return cli_usage_error(cli, "--%s must be positive and finite, not '%s'", option_info[option].word, text);
  return EXIT_DONE;
}

/* The end of a run: a number, 0 included (then only what happens at the start is computed). */
static ExitStatus read_end(Cli *cli, OptionName option, const char *text, double *value) {
  char *end;
  *value = strtod(text, &end);
  if (end != text && !*end && *value >= 0.0 && *value <= 0.0) return EXIT_DONE;
  return read_positive(cli, option, text, value);
}

/* One of the words that the option's argument lists: "dp5|bdf|euler|sdirk"; its place in the list. */
static ExitStatus read_choice(Cli *cli, OptionName option, const char *text, int *choice) {
  enum { MOST_CHOICES = 8 };
  const char *words[MOST_CHOICES];
  int count = 0;
  for (const char *rest = option_info[option].argument; rest && count < MOST_CHOICES; count++) {
    const size_t length = strcspn(rest, "|");
    words[count] = cli_text(cli, rest, length);
    rest = rest[length] ? rest + length + 1 : NULL;
  }
  for (*choice = 0; *choice < count; ++*choice)
    if (strcmp(words[*choice], text) == 0) return EXIT_DONE;
  const char *near = cli_suggest(text, words, count);
  if (near)
    return cli_usage_error(cli, "--%s is one of %s, not '%s'; did you mean '%s'?", option_info[option].word,
                           option_info[option].argument, text, near);
  return cli_usage_error(cli, "--%s is one of %s, not '%s'", option_info[option].word, option_info[option].argument,
                         text);
}

/* Any finite number. */
static ExitStatus read_finite(Cli *cli, OptionName option, const char *text, double *value) {
  char *end;
  *value = strtod(text, &end);
  if (end != text && !*end && isfinite(*value)) return EXIT_DONE;
  return cli_usage_error(cli, "--%s needs a finite number, not '%s'", option_info[option].word, text);
}

/* A length on paper, in pixels of 1/96 inch. */
static ExitStatus read_length(Cli *cli, OptionName option, const char *text, double *pixels) {
  static const struct { const char *name; double pixels; } units[] = {
      {"", 1.0}, {"px", 1.0}, {"mm", 96.0 / 25.4}, {"cm", 96.0 / 2.54}, {"in", 96.0}, {"pt", 96.0 / 72.0}};
  char *end;
  *pixels = strtod(text, &end);
  while (end != text && *end == ' ') end++;
  for (size_t unit = 0; end != text && unit < sizeof units / sizeof *units; unit++) {
    if (strcmp(end, units[unit].name) != 0 || !(*pixels > 0.0) || isinf(*pixels)) continue;
    *pixels *= units[unit].pixels;
    if (unit < 2 && option != OPTION_FONT_SIZE) cli->options.has_pixels = true;
    return EXIT_DONE;
  }
  return cli_usage_error(cli, "--%s needs a length like 640, 85mm, 16cm, 3.5in or 240pt, not '%s'",
                         option_info[option].word, text);
}

static ExitStatus read_threads(Cli *cli, const char *text) {
  char *end;
  const long count = strtol(text, &end, 10);
  if (end == text || *end || count < 1 || count > HBG_THREADS_MOST)
    return cli_usage_error(cli, "--threads needs a whole number from 1 to %d, not '%s'", HBG_THREADS_MOST, text);
  cli->options.threads = (int32_t)count;
  return EXIT_DONE;
}

static ExitStatus read_setting(Cli *cli, const char *text) {
  const char *sign = strchr(text, '=');
  if (!sign || sign == text || !sign[1]) return cli_usage_error(cli, "--set needs NAME=VALUE, not '%s'", text);
  Options *options = &cli->options;
  options->settings[options->setting_count++] =
      (HbgModelSetting){cli_text(cli, text, (size_t)(sign - text)), sign + 1};
  return EXIT_DONE;
}

/* Where the column that starts at `text` ends: at a comma outside of parentheses and brackets. */
static const char *column_end(const char *text) {
  int depth = 0;
  for (; *text && (*text != ',' || depth > 0); text++) {
    if (*text == '(' || *text == '[') depth++;
    if (*text == ')' || *text == ']') depth--;
  }
  return text;
}

static const char *trimmed(Cli *cli, const char *begin, const char *end) {
  while (begin < end && (*begin == ' ' || *begin == '\t')) begin++;
  while (begin < end && (end[-1] == ' ' || end[-1] == '\t')) end--;
  return cli_text(cli, begin, (size_t)(end - begin));
}

static ExitStatus read_columns(Cli *cli, const char *text) {
  Options *options = &cli->options;
  options->columns = CLI_NEW(cli, const char *, strlen(text) + 1);
  options->column_count = 0;
  for (;;) {
    const char *end = column_end(text);
    const char *column = trimmed(cli, text, end);
    if (!*column) return cli_usage_error(cli, "--columns has an empty name; they are set apart by single commas");
    // the first column is time in any case
    if (strcmp(column, "time") != 0) options->columns[options->column_count++] = column;
    if (!*end) return EXIT_DONE;
    text = end + 1;
  }
}

/* -- one option -------------------------------------------------------------------------------------------------- */

/* Whether an option changes a run, so that there must be one. */
static bool is_of_run(OptionName option) {
  switch (option) {
    case OPTION_SET: case OPTION_STOP: case OPTION_TOLERANCE: case OPTION_METHOD: case OPTION_STEP: case OPTION_INTERVAL:
    case OPTION_THREADS:
    case OPTION_TIMES: case OPTION_COLUMNS: case OPTION_ZENO: return true;
    default: return false;
  }
}

static ExitStatus read_value(Cli *cli, OptionName option, const char *text) {
  Options *options = &cli->options;
  int choice = 0;
  ExitStatus status = EXIT_DONE;
  if (is_of_run(option)) options->run_option = option_info[option].word;
  switch (option) {
    case OPTION_SET: return read_setting(cli, text);
    case OPTION_STOP: return read_end(cli, option, text, &options->stop);
    case OPTION_TOLERANCE: return read_positive(cli, option, text, &options->tolerance);
    case OPTION_STEP: return read_positive(cli, option, text, &options->step);
    case OPTION_INTERVAL: return read_positive(cli, option, text, &options->interval);
    case OPTION_CONVERGENCE_FACTOR: return read_positive(cli, option, text, &options->convergence_factor);
    case OPTION_COLUMNS: return read_columns(cli, text);
    case OPTION_THREADS: return read_threads(cli, text);
    case OPTION_LIBRARY: options->folders[options->folder_count++] = text; break;
    case OPTION_TIMES: options->times = text; break;
    case OPTION_MODE: options->mode = text; break;
    case OPTION_OUTPUT: options->output = text; break;
    case OPTION_PORT: options->port = text; break;
    case OPTION_ASSETS: options->assets = text; break;
    case OPTION_LEVEL: options->level = text; break;
    case OPTION_AT: return read_end(cli, option, text, &options->at);
    case OPTION_SIGNALS:
      status = read_choice(cli, option, text, &choice);
      options->hides_signals = choice == 1;
      break;
    case OPTION_LABELS:
      status = read_choice(cli, option, text, &choice);
      options->hides_labels = choice == 1;
      break;
    case OPTION_PICTURE:
      status = read_choice(cli, option, text, &choice);
      options->picture = choice == 0 ? (int)HBG_PLOT_SVG : (int)HBG_PLOT_PNG;
      break;
    case OPTION_METHOD:
      status = read_choice(cli, option, text, &choice);
      options->method = (int)HBG_METHOD_AUTOMATIC + choice;
      break;
    case OPTION_COMPATIBLE:
      status = read_choice(cli, option, text, &choice);
      options->compatible = (int)HBG_COMPATIBLE_HYBRSIM + choice;
        break;
    case OPTION_PANES: options->plot.panes = text; break;
    case OPTION_TITLE: options->plot.title = text; break;
    case OPTION_FROM: return read_finite(cli, option, text, &options->plot.from);
    case OPTION_TO: return read_finite(cli, option, text, &options->plot.to);
    case OPTION_WIDTH: return read_length(cli, option, text, &options->plot.width);
    case OPTION_HEIGHT: return read_length(cli, option, text, &options->plot.height);
    case OPTION_FONT_SIZE: return read_length(cli, option, text, &options->plot.font_size);
    case OPTION_DPI:
      options->has_dpi = true;
      return read_positive(cli, option, text, &options->plot.dots_per_inch);
    case OPTION_GRID:
      status = read_choice(cli, option, text, &choice);
      options->plot.has_grid = choice == 0;
      break;
    case OPTION_ZENO:
      status = read_choice(cli, option, text, &choice);
      options->zeno_continue = choice == 1;
      break;
    case OPTION_SLIDING:
      status = read_choice(cli, option, text, &choice);
      options->sliding = choice == 0 ? (int)HBG_SLIDING_ON : (int)HBG_SLIDING_OFF;
      break;
    case OPTION_COMPILE:
      status = read_choice(cli, option, text, &choice);
      options->compile = choice;
      break;
    case OPTION_FORMAT:
      status = read_choice(cli, option, text, &choice);
      options->format = (Format)(FORMAT_TABLE + choice);
      break;
    case OPTION_COLOUR:
      status = read_choice(cli, option, text, &choice);
      options->colour = (ColourPolicy)choice;
      break;
    default: break;
  }
  return status;
}

static void raise_flag(Options *options, OptionName option) {
  switch (option) {
    case OPTION_QUIET: options->quiet = true; break;
    case OPTION_CHECK: options->check = true; break;
    case OPTION_NO_BROWSER: options->has_no_browser = true; break;
    case OPTION_AUTOMATIC: options->is_automatic = true; break;
    case OPTION_TIMING: options->timing = true; break;
    case OPTION_RELAXATION_TABLE: options->relaxation_table = true; break;
    case OPTION_HELP: options->help = true; break;
    default: break;
  }
}

static bool knows(Command command, OptionName option) {
  return strchr(option_info[option].commands, COMMAND_LETTERS[command]) != NULL;
}

/* The option of `command` called `word`; OPTION_COUNT when there is none. */
static OptionName find_option(Command command, const char *word) {
  if (strcmp(word, "colour") == 0) word = "color";
  OptionName option = (OptionName)0;
  while (option < OPTION_COUNT && !(strcmp(option_info[option].word, word) == 0 && knows(command, option))) option++;
  return option;
}

static ExitStatus refuse_option(Cli *cli, const char *word) {
  const char *words[OPTION_COUNT];
  int32_t count = 0;
  for (OptionName option = (OptionName)0; option < OPTION_COUNT; option++)
    if (knows(cli->options.command, option)) words[count++] = option_info[option].word;
  const char *near = cli_suggest(word, words, count);
  const char *command = command_words[cli->options.command];
  if (near) return cli_usage_error(cli, "'%s' has no option --%s; did you mean --%s?", command, word, near);
  return cli_usage_error(cli, "'%s' has no option --%s", command, word);
}

/* Reads the option at `arguments[*at]` and its value, which stands behind '=' or in the next word. */
static ExitStatus read_option(Cli *cli, int argument_count, char **arguments, int *at) {
  const char *text = arguments[*at] + 2;
  const char *sign = strchr(text, '=');
  const char *word = cli_text(cli, text, sign ? (size_t)(sign - text) : strlen(text));
  const OptionName option = find_option(cli->options.command, word);
  if (option == OPTION_COUNT) return refuse_option(cli, word);

  const char *wanted = option_info[option].argument;
  if (!wanted) {
    if (sign) return cli_usage_error(cli, "--%s takes no value", word);
    raise_flag(&cli->options, option);
    return EXIT_DONE;
  }
  const char *value = sign ? sign + 1 : NULL;
  const bool has_next = *at + 1 < argument_count && strncmp(arguments[*at + 1], "--", 2) != 0;
  if (!value && has_next) value = arguments[++*at];
  const bool may_be_empty = option == OPTION_TITLE; // none, then
  if (!value || (!*value && !may_be_empty)) return cli_usage_error(cli, "--%s needs a value: --%s %s", word, word, wanted);
  return read_value(cli, option, value);
}

/* -- the whole line ---------------------------------------------------------------------------------------------- */

static ExitStatus read_command(Cli *cli, const char *word) {
  Options *options = &cli->options;
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
    options->help = true;
    return EXIT_DONE;
  }
  if (strcmp(word, "--version") == 0) {
    options->version = true;
    return EXIT_DONE;
  }
  for (int command = 0; command < COMMAND_COUNT; command++) {
    if (strcmp(word, command_words[command]) != 0) continue;
    options->command = (Command)command;
    options->has_command = true;
    return EXIT_DONE;
  }
  static const char *const options_alone[] = {"--help", "--version"};
  const bool is_option = *word == '-';
  const char *near = is_option ? cli_suggest(word, options_alone, 2) : cli_suggest(word, command_words, COMMAND_COUNT);
  const char *what = is_option ? "option" : "command";
  if (near) return cli_usage_error(cli, "there is no %s '%s'; did you mean '%s'?", what, word, near);
  return cli_usage_error(cli, "there is no %s '%s'", what, word);
}

/* Files of results are known by their ending; all others are models. */
static bool is_result(const char *path) {
  const char *ending = strrchr(path, '.');
  return ending && (strcmp(ending, ".csv") == 0 || strcmp(ending, ".json") == 0);
}

static ExitStatus read_word(Cli *cli, const char *word) {
  cli->options.files[cli->options.file_count++] = word;
  if (cli->options.command == COMMAND_PLOT && is_result(word)) return EXIT_DONE;
  if (cli->options.command == COMMAND_FORMAT) return EXIT_DONE;
  if (cli->options.command == COMMAND_LSP) return cli_usage_error(cli, "'lsp' takes no file: the editor tells which ones are open");
  if (cli->options.model)
    return cli_usage_error(cli, "one model at a time, please: '%s' stands behind '%s'", word, cli->options.model);
  cli->options.model = word;
  return EXIT_DONE;
}

/* What no option can see alone. */
static ExitStatus check_together(Cli *cli) {
  const Options *options = &cli->options;
  const bool is_plot = options->command == COMMAND_PLOT;
  if (options->command == COMMAND_LSP || options->command == COMMAND_STUDIO) return EXIT_DONE;
  if (!options->model && !options->file_count)
    return cli_usage_error(cli, "'%s' needs a model%s", command_words[options->command], is_plot ? " or files of results" : "");
  if (options->command == COMMAND_FORMAT) return EXIT_DONE;
  if (!options->model && options->run_option)
    return cli_usage_error(cli, "--%s is for a run, and there is no model; columns of files are chosen by --panes",
                           options->run_option);
  if (options->command == COMMAND_DRAW && options->mode && !isnan(options->at))
    return cli_usage_error(cli, "--mode and --at exclude each other: at a time, the mode is the simulated one");
  if (options->times && !isnan(options->interval))
    return cli_usage_error(cli, "--times and --interval exclude each other");
  const bool is_compatible = options->compatible != (int)HBG_COMPATIBLE_NO;
  if (!is_compatible && (options->relaxation_table || !isnan(options->convergence_factor)))
    return cli_usage_error(cli, "--%s is for --compatible hybrsim; otherwise the state is conserved exactly, without iteration",
                           options->relaxation_table ? "relaxation-table" : "convergence-factor");
  if (!isnan(options->step) && options->method >= 0 && options->method != (int)HBG_METHOD_EULER)
    return cli_usage_error(cli, "--step is for --method euler; the other methods choose their steps");
  return EXIT_DONE;
}

ExitStatus cli_options_read(Cli *cli, int argument_count, char **arguments) {
  Options *options = &cli->options;
  const double not_given = (double)NAN;
  *options = (Options){.stop = not_given, .tolerance = not_given, .step = not_given, .interval = not_given, .method = -1, .sliding = -1,
                       .convergence_factor = not_given, .at = not_given, .picture = -1, .threads = 1, .plot = hbg_plot_options()};
  options->files = CLI_NEW(cli, const char *, argument_count);
  options->settings = CLI_NEW(cli, HbgModelSetting, argument_count);
  options->folders = CLI_NEW(cli, const char *, argument_count);
  if (argument_count < 2) return cli_usage_error(cli, "a command is needed: check, simulate, events, causality, plot, draw, studio, format, lsp");
  ExitStatus status = read_command(cli, arguments[1]);
  if (status != EXIT_DONE || !options->has_command) return status;

  bool only_words = false; // behind "--"
  for (int at = 2; at < argument_count && status == EXIT_DONE; at++) {
    const char *argument = arguments[at];
    if (only_words || *argument != '-' || strcmp(argument, "-") == 0) status = read_word(cli, argument);
    else if (strcmp(argument, "--") == 0) only_words = true;
    else if (strcmp(argument, "-h") == 0) options->help = true;
    else if (argument[1] != '-') status = cli_usage_error(cli, "'%s' is no option; options have two dashes", argument);
    else status = read_option(cli, argument_count, arguments, &at);
  }
  return status != EXIT_DONE || options->help ? status : check_together(cli);
}
