// SPDX-License-Identifier: BSD-3-Clause
#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

// "model name : Some Processor" of the first one.
static void processor(char text[128]) {
  char line[256];
  FILE *file = fopen("/proc/cpuinfo", "r");
  strcpy(text, "processor unknown");
  while (file && fgets(line, sizeof line, file)) {
    const char *value = strchr(line, ':');
    if (strncmp(line, "model name", 10) || !value) continue;
    snprintf(text, 128, "%.*s", (int)strcspn(value + 2, "\"\n"), value + 2);
    break;
  }
  if (file) fclose(file);
}

void bench_machine(char text[256]) {
  char name[128];
  struct utsname system = {.sysname = "system unknown"};
  processor(name);
  uname(&system);
  snprintf(text, 256, "%s; %ld cores; %.40s %.40s; %.40s", name, sysconf(_SC_NPROCESSORS_ONLN), system.sysname, system.machine,
#ifdef __clang__
           __VERSION__);
#else
           "gcc " __VERSION__);
#endif
}
