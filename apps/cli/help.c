/* SPDX-License-Identifier: BSD-3-Clause
 * The help texts, made from the lists of commands and options. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

typedef struct CommandHelp {
  const char *word, *argument, *summary, *text;
} CommandHelp;

static const CommandHelp commands[COMMAND_COUNT] = {
#define COMMAND(name, word, argument, summary, help) [COMMAND_##name] = {word, argument, summary, help},
#include "commands.def"
#undef COMMAND
};

typedef struct OptionHelp {
  const char *word, *argument, *commands, *text;
} OptionHelp;

static const OptionHelp options[] = {
#define OPTION(name, word, argument, commands, help) {word, argument, commands, help},
#include "options.def"
#undef OPTION
};

enum { OPTION_COUNT = sizeof options / sizeof *options, TEXT_COLUMN = 28 };

const char *cli_command_word(Command command) { return commands[command].word; }

void cli_help_print(void) {
  puts("HyBrSim: hybrid bond graphs, simulated over hyperdense time.\n\n"
       "Usage: hybrsim COMMAND MODEL [OPTION...]\n\n"
       "MODEL is a file in the model language (.hbg), or - for standard input.\n\nCommands:");
  for (int command = 0; command < COMMAND_COUNT; command++)
    printf("  %-11s%s\n", commands[command].word, commands[command].summary);
  puts("\nOptions:\n"
       "  --help     this text; 'hybrsim COMMAND --help' tells the options of a command\n"
       "  --version  the version\n\n"
       "Results go to standard output, everything else to standard error.\n"
       "Exit status: 0 done; 1 the model is wrong; 2 wrong usage; 3 the simulation could not go on (what was computed\n"
       "until then is written).\n\n"
       "Example: hybrsim events models/newtons-cradle/newtons-cradle.hbg --set F_th=0.5");
}

/* One option: its words on the left, its text, which may have several lines, on the right. */
static void print_option(const OptionHelp *option) {
  int column = printf("  --%s%s%s", option->word, option->argument ? " " : "", option->argument ? option->argument : "");
  if (column > TEXT_COLUMN - 2) {
    putchar('\n');
    column = 0;
  }
  for (const char *line = option->text; line;) {
    const int length = (int)strcspn(line, "\n");
    printf("%*s%.*s\n", TEXT_COLUMN - column, "", length, line);
    column = 0;
    line = line[length] ? line + length + 1 : NULL;
  }
}

static char letter_of(Command command) { return COMMAND_LETTERS[command]; }

void cli_help_print_command(Command command) {
  const CommandHelp *help = &commands[command];
  printf("Usage: hybrsim %s%s%s [OPTION...]\n\n%s\nOptions:\n", help->word, help->argument ? " " : "",
         help->argument ? help->argument : "", help->text);
  for (int option = 0; option < OPTION_COUNT; option++)
    if (strchr(options[option].commands, letter_of(command))) print_option(&options[option]);
  if (command == COMMAND_SIMULATE || command == COMMAND_EVENTS)
    puts("\nCSV has one line of names and reads back exactly. JSON is one object: model, columns (name, kind, unit), rows,\n"
         "complete (false when the run stopped early) and failure.");
}
