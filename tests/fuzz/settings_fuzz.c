/* SPDX-License-Identifier: BSD-3-Clause
 * An entry for libFuzzer (scripts/fuzz): any names and values of --set, given to sound models, are taken or refused with a
 * reason. The first byte chooses the model; then come lines of NAME=VALUE. */
#include <math.h>

#include "api/api.h"
#include "fuzz/fuzz.h"

static const char *const models[] = {
    "model Units { param m = 1 [kg], v = 2 [m/s], angle = 45 [deg], T = 20 [degC], on = true, n = 3\n"
    " param half = m/2, w = if on then v else -v\n I body(m) start f = w; 1 j; j -> body\n signal s = sin(angle)*T/n }",
    "model Array(N = 3, k = [1, 2, 3] [N/m]) { 0 f; for i in 1..N { param c[i] = k[i]/N, d[i][1] = i; C s[i](c[i]) start q = d[i][1]; f -> s[i] } }",
    "model Laws { param a = 2, b = 0.5, e0 = 1; C c: e = a*q + b*q^3 start e = e0; R r: e = f*abs(f)/a; I l(b); 1 n; n -> c; n -> r; n -> l\n"
    " stop a; tolerance b/1e6; interval 1/a; step b }",
    "model Switch { param late = 0.5 [s], width = 100 [ms], period = 1 [s], V = 12 [V], ratio = 2; Se u(V*pulse(late, width, period))\n"
    " 1 g by M(late); TF t(ratio); R r(ratio + 1); 0 h; u -> g -> t -> h -> r\n machine M(x) { on a; off b; a -> b when time >= x } }",
};

enum { MODEL_COUNT = sizeof models / sizeof *models, MOST_SETTINGS = 8 };

/* Splits `text` in place: "name=value" lines. */
static int32_t split(char *text, HbgModelSetting *settings) {
  int32_t count = 0;
  for (char *line = text; line && *line && count < MOST_SETTINGS;) {
    char *end = strchr(line, '\n');
    if (end) *end++ = '\0';
    char *sign = strchr(line, '=');
    if (sign) *sign = '\0';
    settings[count++] = (HbgModelSetting){line, sign ? sign + 1 : ""};
    line = end;
  }
  return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size) return 0;
  char *text = malloc(size);
  if (!text) return 0;
  memcpy(text, data + 1, size - 1);
  text[size - 1] = '\0';

  Purse purse = {.most = 8 << 20};
  HbgModelOptions options = purse_options(&purse);
  HbgModelSetting settings[MOST_SETTINGS];
  options.settings = settings;
  options.setting_count = split(text, settings);
  const char *chosen = models[data[0] % MODEL_COUNT];
  HbgModel *model = load_checked(chosen, strlen(chosen), &options);
  if (model)
    for (int32_t i = 0; i < model->flat.parameter_count; i++) HOLDS(isfinite(model->flat.parameters[i].value));
  HOLDS(model || options.setting_count); // the models alone are sound
  hbg_model_free(model);
  HOLDS(purse.spent == 0);
  free(text);
  return 0;
}
