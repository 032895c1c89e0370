# SPDX-License-Identifier: BSD-3-Clause
# The language server and the TextMate grammar, tested with the libraries of Visual Studio Code: *.test.js.
set -eu
modules=$SOURCE/tests/lsp/node_modules
[ -f "$modules/.installed-lock" ] || { echo "the libraries are missing: run scripts/setup test"; exit 1; }
cd "$SOURCE/tests/lsp"
exec node --test client.test.js grammar.test.js protocol.test.js
