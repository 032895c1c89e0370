/* SPDX-License-Identifier: BSD-3-Clause
 * Equations as C text: what the system's compiler makes of it gives bit by bit the numbers of byte code. */
#define _XOPEN_SOURCE 700
#include "native/native.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/batched.h"

enum { TEXTS = 60 };

static char folder[] = "/tmp/hybrsim-native-XXXXXX";

static const char *path_of(char *room, size_t size, const char *name) {
  snprintf(room, size, "%s/%s", folder, name);
  return room;
}

/* Every text has a function of the same name: in one library they need others. */
static void write_text(uint64_t seed, const char *text) {
  char name[32], path[128];
  snprintf(name, sizeof name, "%d.c", (int)seed);
  FILE *file = fopen(path_of(path, sizeof path, name), "w");
  assert_non_null(file);
  fprintf(file, "#define " HBG_NATIVE_NAME " " HBG_NATIVE_NAME "_%d\n%s", (int)seed, text);
  assert_int_equal(fclose(file), 0);
}

static void *compile_all(void) {
  char command[512], path[128];
  snprintf(command, sizeof command, "cc -O2 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -shared -fPIC -w -o %s/all.so %s/*.c",
           folder, folder);
  if (system(command) != 0) return NULL;
  return dlopen(path_of(path, sizeof path, "all.so"), RTLD_NOW);
}

static HbgBatchCode *code_of(void *library, uint64_t seed) {
  char name[64];
  snprintf(name, sizeof name, HBG_NATIVE_NAME "_%d", (int)seed);
  void *symbol = dlsym(library, name);
  HbgBatchCode *code;
  memcpy(&code, &symbol, sizeof code);
  return code;
}

static void remove_folder(void) {
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

static void machine_code_gives_the_numbers_of_byte_code(void **state) {
  (void)state;
  Batched random;
  if (system("cc --version >/dev/null 2>&1") != 0) skip();
  assert_non_null(mkdtemp(folder));
  for (uint64_t seed = 1; seed <= TEXTS; seed++) {
    const HbgBatch batch = batched_random(&random, seed);
    write_text(seed, hbg_native_source(&batch, &random.arena));
    batched_end(&random);
  }
  void *library = compile_all();
  assert_non_null(library);
  for (uint64_t seed = 1; seed <= TEXTS; seed++) {
    HbgBatch batch = batched_random(&random, seed);
    batch.code = code_of(library, seed);
    assert_non_null(batch.code);
    for (int time = 0; time < 2; time++) {
      batched_run_batch(&random, &batch, 0.25 * time);
      batched_check_all(&random, 0.25 * time);
    }
    batched_end(&random);
  }
  dlclose(library);
  remove_folder();
}

/* x' = a x for each of them, with an `a` of its own. */
static void begin_decay(Batched *random) {
  batched_begin(random, 1);
  HbgExprPool *pool = &random->pool;
  const HbgExpr a = hbg_expr_leaf(pool, HBG_OP_SLOT, 0, 0), x = hbg_expr_leaf(pool, HBG_OP_STATE, 0, 0);
  batched_emit(random, hbg_expr_binary(pool, HBG_OP_MUL, a, x), x);
  batched_draw_values(random);
  for (int32_t at = 0; at < INSTANCES; at++) {
    random->constant[0][at] = at;
    for (int which = 0; which < 2; which++) random->source[which][at] = random->goal[which][at] = at;
  }
}

static void a_text_tells_the_shape_and_no_number(void **state) {
  (void)state;
  Batched random;
  begin_decay(&random);
  HbgBatch batch = batched_make_batch(&random);
  const char *before = hbg_native_source(&batch, &random.arena);
  for (int32_t at = 0; at < INSTANCES; at++) {
    random.constant[0][at] = 2 * at + 1;
    random.source[0][at] = random.goal[0][at] = at + 5;
  }
  batched_set(&random, &batch);
  assert_string_equal(hbg_native_source(&batch, &random.arena), before);
  for (int32_t at = 0; at < INSTANCES; at++) random.source[0][at] = 3 * at;
  batched_set(&random, &batch);
  assert_string_not_equal(hbg_native_source(&batch, &random.arena), before);
  batched_end(&random);
}

static void no_code(int32_t from, int32_t to, double *const *place, const HbgBatchStep *steps, const HbgBatchFunctions *functions) {
  (void)from, (void)to, (void)place, (void)steps, (void)functions;
}

static HbgCode *answer(const HbgCompileRequest *request, void *user) {
  ++*(int *)user;
  assert_int_equal(request->instances, INSTANCES);
  return *(int *)user < 3 ? NULL : (HbgCode *)no_code;
}

static void code_is_asked_for_until_there_is_some_and_stays_with_its_shape(void **state) {
  (void)state;
  Batched random;
  int asked = 0;
  begin_decay(&random);
  HbgBatch batch = batched_make_batch(&random);
  HbgNative native = {0};
  hbg_native_renew(&native, &batch);
  for (int64_t turn = 0; turn < 100000 && !batch.code; turn++)
    if (hbg_native_count(&native, &batch)) hbg_native_ask(&native, &batch, answer, &asked);
  assert_int_equal(asked, 3);
  assert_true(batch.code == no_code);
  random.constant[0][5] = 1e6;
  batched_set(&random, &batch);
  assert_null(batch.code);
  hbg_native_renew(&native, &batch);
  assert_true(batch.code == no_code);
  for (int32_t at = 0; at < INSTANCES; at++) random.source[0][at] = 2 * at;
  batched_set(&random, &batch);
  hbg_native_renew(&native, &batch);
  assert_null(batch.code);
  batched_end(&random);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(machine_code_gives_the_numbers_of_byte_code),
      cmocka_unit_test(a_text_tells_the_shape_and_no_number),
      cmocka_unit_test(code_is_asked_for_until_there_is_some_and_stays_with_its_shape),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
