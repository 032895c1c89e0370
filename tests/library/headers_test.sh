# SPDX-License-Identifier: BSD-3-Clause
# Every public header can be included alone, in C and in C++, without a warning; and a C++ program can use them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cxx=$(command -v c++ || command -v g++ || true)
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -I$SOURCE/include"

for header in "$SOURCE"/include/hybrsim/*.h; do
  name=hybrsim/$(basename "$header")
  printf '#include <%s>\n#include <%s>\nint main(void) { return 0; }\n' "$name" "$name" > "$folder/one.c"
  "$CC" -std=c99 $warnings -Wstrict-prototypes -fsyntax-only "$folder/one.c"
  [ -z "$cxx" ] || "$cxx" -std=c++11 $warnings -fsyntax-only -x c++ "$folder/one.c"
done

[ -n "$cxx" ] || exit 0
cat > "$folder/program.cc" <<'END'
#include <hybrsim/hybrsim.h>
#include <cmath>
#include <cstring>
int main() {
  const char *text = "model Decay { C c(1) start q = 1; R r(1); 0 n; n -> c; n -> r; stop 1 }";
  HbgModel *model = nullptr;
  HbgRun *run = nullptr;
  HbgRow row;
  int32_t charge = -1;
  HbgRunOptions options = hbg_run_options();
  options.events_only = true;
  if (hbg_model_load(text, std::strlen(text), nullptr, &model) != HBG_OK) return 1;
  if (hbg_run_create(model, &options, &run, nullptr) != HBG_OK) return 2;
  if (hbg_run_find(run, "c.q", &charge, nullptr) != HBG_OK) return 3;
  if (hbg_run_until(run, 0.5, &row) != HBG_OK) return 4;
  const double error = std::fabs(hbg_run_read(run, charge) - std::exp(-0.5));
  hbg_run_free(run);
  hbg_model_free(model);
  return error < 1e-7 ? 0 : 5;
}
END
"$cxx" -std=c++11 $warnings $FLAGS "$folder/program.cc" "$SHARED_LIBRARY" -o "$folder/program"
LD_LIBRARY_PATH=$(dirname "$SHARED_LIBRARY") "$folder/program"
