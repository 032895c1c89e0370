// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include "measure.h"

#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ARGUMENTS = 64, WORDS = 120000, COLUMNS = 2000, NUMBERS = 4000000 };

typedef struct {
  char *argument[ARGUMENTS];
  int count;
  char words[WORDS];
  size_t used;
} Command;

static char *word(Command *command, const char *text, size_t length) {
  if (command->used + length + 1 > WORDS) abort();
  char *start = command->words + command->used;
  memcpy(start, text, length);
  start[length] = 0;
  command->used += length + 1;
  return start;
}

static void add(Command *command, const char *text) {
  if (command->count + 1 >= ARGUMENTS) abort();
  command->argument[command->count++] = word(command, text, strlen(text));
  command->argument[command->count] = NULL;
}

// The options of a workload, word by word; `2N` is twice the size.
static void add_options(Command *command, const char *options, long n) {
  for (const char *at = options; at && *at;) {
    size_t length = strcspn(at, " ");
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)length, at);
    if (!strcmp(text, "2N")) snprintf(text, sizeof text, "%ld", 2*n);
    add(command, text);
    at += length + (at[length] == ' ');
  }
}

static void begin(Command *command, const Bench *bench, const Workload *workload, const char *verb, long n) {
  char text[4200];
  *command = (Command){0};
  add(command, bench->program);
  add(command, verb);
  snprintf(text, sizeof text, "%s/%s.hbg", bench->models, workload->model);
  add(command, text);
  if (!workload->times) {
    snprintf(text, sizeof text, "%ld", n);
    add(command, "--set");
    snprintf(text, sizeof text, "N=%ld", n);
    add(command, text);
  }
  add_options(command, workload->options, n);
  add(command, "--quiet");
  add(command, "--timing");
}

// Columns first, first + every, ... of all parts of all patterns, as one argument; returns how many.
static long add_columns(Command *command, const Workload *workload, long parts, long every) {
  char *list = bench_memory(WORDS);
  size_t used = 0;
  long count = 0;
  for (int p = 0; workload->columns[p]; p++)
    for (long i = 1; i <= parts; i += every, count++) {
      if (count) list[used++] = ',';
      used += (size_t)snprintf(list + used, WORDS - used, workload->columns[p], i);
    }
  add(command, "--columns");
  add(command, list);
  free(list);
  return count;
}

// Starts the command; what it prints comes from `output` (when that is asked for), what it reports goes to `report`.
static pid_t start(Command *command, int *output, int report, double patience) {
  int ends[2] = {-1, -1};
  if (output && pipe(ends) != 0) abort();
  pid_t child = fork();
  if (child < 0) abort();
  if (child == 0) {
    alarm((unsigned)ceil(patience));
    if (output) dup2(ends[1], STDOUT_FILENO);
    dup2(report, STDERR_FILENO);
    if (output) close(ends[0]), close(ends[1]);
    execv(command->argument[0], command->argument);
    _exit(127);
  }
  if (output) {
    close(ends[1]);
    *output = ends[0];
  }
  return child;
}

static double field(const char *report, const char *name) {
  const char *found = strstr(report, name);
  return found ? strtod(found + strlen(name), NULL) : 0;
}

static Timing finish(pid_t child, int report, char reason[200]) {
  int status = 0;
  waitpid(child, &status, 0);
  char text[4096];
  ssize_t length = pread(report, text, sizeof text - 1, 0);
  text[length > 0 ? length : 0] = 0;
  Timing timing = {.load = field(text, "\"load_s\": "), .compile = field(text, "\"compile_s\": "), .run = field(text, "\"run_s\": "),
                   .events = lround(field(text, "\"events\": ")), .steps = lround(field(text, "\"steps\": "))};
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) timing.end = RUN_TOO_LONG;
  else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) timing.end = RUN_FAILED;
  if (reason && timing.end == RUN_FAILED) {
    text[strcspn(text, "\n")] = 0;
    if (WIFSIGNALED(status)) snprintf(reason, 200, "signal %d", WTERMSIG(status));
    else snprintf(reason, 200, "exit status %d: %.150s", WEXITSTATUS(status), text);
  }
  return timing;
}

static int scratch_file(void) {
  char name[] = "/tmp/hybrsim-bench-XXXXXX";
  int file = mkstemp(name);
  if (file < 0) abort();
  unlink(name);
  return file;
}

// The largest difference of the last line from the exact values.
static double compare_end(FILE *rows, const Workload *workload, long parts, long every, const double *exact) {
  char *line = NULL, *last = NULL;
  size_t room = 0, last_room = 0;
  while (getline(&line, &room, rows) > 0) {
    char *swap = last;
    last = line;
    line = swap;
    size_t other = last_room;
    last_room = room;
    room = other;
  }
  double worst = last ? 0 : INFINITY;
  char *at = last ? strchr(last, ',') : NULL;
  for (int p = 0; workload->columns[p]; p++)
    for (long i = 0; i < parts; i += every) {
      if (!at) worst = INFINITY;
      if (!at) break;
      double difference = fabs(strtod(at + 1, &at) - exact[p*parts + i]);
      if (!(difference <= worst)) worst = difference;
    }
  free(line);
  free(last);
  return worst;
}

// The largest difference of the times of events from the exact ones: those of different instants, in order.
static double compare_times(FILE *rows, const double *exact, long count) {
  char *line = NULL;
  size_t room = 0;
  double worst = 0, before = NAN;
  long found = 0;
  while (getline(&line, &room, rows) > 0) {
    if (!isdigit((unsigned char)*line)) continue;
    double time = strtod(line, NULL);
    if (time == before) continue;
    before = time;
    double difference = found < count ? fabs(time - exact[found]) : INFINITY;
    if (!(difference <= worst)) worst = difference;
    found++;
  }
  free(line);
  return found < count ? INFINITY : worst;
}

Check bench_check(const Bench *bench, const Workload *workload, long n, const double *exact) {
  Command *command = bench_memory(sizeof *command);
  Check check = {0};
  long parts = workload->parts ? workload->parts(n) : n, every = 1;
  begin(command, bench, workload, workload->times ? "events" : "simulate", n);
  add(command, "--format");
  add(command, "csv");
  if (workload->times) {
    add(command, "--columns");
    add(command, "motion.f");
    check.values = n;
  } else {
    // both sides of every instant are rows, so where there are many only some columns are looked at
    long patterns = bench_values(workload, n)/parts, rows = 400 + 24*parts, most = NUMBERS/rows;
    if (most > COLUMNS) most = COLUMNS;
    if (most < 4) most = 4;
    every = (patterns*parts + most - 1)/most;
    check.values = add_columns(command, workload, parts, every);
  }
  int output, report = scratch_file();
  pid_t child = start(command, &output, report, bench->patience);
  FILE *rows = fdopen(output, "r");
  check.error = workload->times ? compare_times(rows, exact, n) : compare_end(rows, workload, parts, every, exact);
  fclose(rows);
  check.timing = finish(child, report, check.reason);
  close(report);
  free(command);
  return check;
}

Timing bench_time(const Bench *bench, const Workload *workload, long n) {
  Command *command = bench_memory(sizeof *command);
  begin(command, bench, workload, "simulate", n);
  long parts = workload->parts ? workload->parts(n) : n;
  if (workload->times) {
    add(command, "--columns");
    add(command, "motion.f");
  } else {
    add_columns(command, workload, parts, parts);
  }
  add(command, "--output");
  add(command, "/dev/null");
  int report = scratch_file();
  Timing timing = finish(start(command, NULL, report, bench->patience), report, NULL);
  close(report);
  free(command);
  return timing;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9*(double)time.tv_nsec;
}

double bench_time_by_hand(const Workload *workload, long n, double *values, double least) {
  double start = now(), taken = 0;
  long runs = 0;
  for (long more = 1; taken < least; more *= 2) {
    for (long i = 0; i < more; i++) workload->hand(n, values);
    runs += more;
    taken = now() - start;
  }
  return taken/(double)runs;
}
