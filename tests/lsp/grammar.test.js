// SPDX-License-Identifier: BSD-3-Clause
// The TextMate grammar, run by the library of Visual Studio Code: over small texts, and over every model of the project.
"use strict";
const { test } = require("node:test");
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const source = process.env.SOURCE;
const grammarPath = path.join(source, "editors/hybrsim.tmLanguage.json");
const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
const onigLib = oniguruma.loadWASM(wasm).then(() => ({
  createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
  createOnigString: (text) => new oniguruma.OnigString(text),
}));
const registry = new textmate.Registry({ onigLib, loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(grammarPath, "utf8"), grammarPath) });

/** [text, innermost scope] of every piece of `text` that is not blank. */
async function scopes(text) {
  const grammar = await registry.loadGrammar("source.hbg");
  const found = [];
  let state = textmate.INITIAL;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    for (const token of tokens) {
      const piece = line.slice(token.startIndex, token.endIndex);
      if (piece.trim()) found.push([piece, token.scopes.at(-1)]);
    }
    state = ruleStack;
  }
  return found;
}

/** Each of `expected` is the scope of the first piece with that text. */
async function check(text, expected) {
  const found = await scopes(text);
  for (const [piece, scope] of Object.entries(expected)) {
    const hit = found.find(([written]) => written.trim() === piece);
    assert.equal(hit?.[1], scope, `${piece} in ${text}: ${JSON.stringify(found)}`);
  }
}

test("words, kinds, names, numbers and units are told apart", async () => {
  await check("model Bullet(N = 3) {", { model: "keyword.declaration.hbg", Bullet: "entity.name.type.hbg", 3: "constant.numeric.hbg" });
  await check("  param m = 2.5e-3 [kg*m/s^2], k = 1", { param: "keyword.declaration.hbg", "2.5e-3": "constant.numeric.hbg", "[kg*m/s^2]": "support.constant.unit.hbg", 1: "constant.numeric.hbg" });
  await check("  I body(m)  start f = 1", { I: "storage.type.element.hbg", start: "keyword.control.hbg" });
  await check("  1 motion", { 1: "storage.type.element.hbg" });
  await check("  for i in 1..N { 1 v[i]; MTF t(1) }", { for: "keyword.control.hbg", in: "keyword.operator.word.hbg", MTF: "storage.type.element.hbg" });
  await check("  signal s = sin(body.p) and not true", { signal: "keyword.declaration.hbg", sin: "support.function.hbg", p: "variable.other.property.hbg", and: "keyword.operator.word.hbg", true: "constant.language.hbg" });
  await check("    apart -> joined  when gap <= 0", { "->": "keyword.operator.arrow.hbg", when: "keyword.control.conditional.hbg", "<=": "keyword.operator.hbg" });
  await check("  drawing { ball[1] at 40, -120.5 }", { drawing: "keyword.declaration.hbg", at: "keyword.control.hbg", 40: "constant.numeric.hbg", "-": "keyword.operator.hbg" });
  await check("  a -> drawing", { drawing: "source.hbg" });
  await check("    off apart  initial", { off: "storage.modifier.state.hbg", initial: "keyword.control.hbg" });
});

test("every function and every kind of element of the language is known", async () => {
  const names = (file, pattern) => [...fs.readFileSync(path.join(source, file), "utf8").matchAll(pattern)].map((match) => match[1]);
  const functions = names("src/editor/functions.def", /^FUNCTION\("(\w+)"/gm), kinds = names("src/language/words.def", /^WORD\("(\w+)", +ELEMENTS\)/gm);
  assert.ok(functions.length > 25 && kinds.length > 10);
  for (const name of functions) await check(`  signal s = 2*${name}(x)`, { [name]: "support.function.hbg" });
  for (const kind of kinds) await check(`  ${kind} name(1)`, { [kind]: "storage.type.element.hbg" });
});

test("an index is no unit, and words of the language are names where names stand", async () => {
  for (const [, scope] of await scopes("  signal s = x[i+1]")) assert.notEqual(scope, "support.constant.unit.hbg");
  await check("  signal y = (a + b) [m/s]", { "[m/s]": "support.constant.unit.hbg" });
  await check("  a -> start", { start: "source.hbg" });
});

test("comments are comments, to the end of their line or their mark", async () => {
  await check("  param a = 1 // [kg] and more", { "//": "comment.line.double-slash.hbg", "[kg] and more": "comment.line.double-slash.hbg" });
  const found = await scopes("/* one\n model */\nmodel A {\n// x");
  assert.ok(found.filter(([, scope]) => scope === "comment.block.hbg").map(([piece]) => piece).join("|").includes(" model "));
  assert.ok(found.some(([piece, scope]) => piece === "model" && scope === "keyword.declaration.hbg"));
});

test("the extension names files that are there, and the grammar of the project", () => {
  const folder = path.join(source, "editors/vscode");
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const { languages: [language], grammars: [grammar] } = manifest.contributes;
  assert.deepEqual(language.extensions, [".hbg"]);
  assert.equal(grammar.scopeName, "source.hbg");
  JSON.parse(fs.readFileSync(path.join(folder, language.configuration), "utf8"));
  assert.equal(fs.readFileSync(path.join(folder, grammar.path), "utf8"), fs.readFileSync(grammarPath, "utf8"));
  assert.ok(fs.existsSync(path.join(folder, manifest.main)));
});

test("in every model of the project words, comments, numbers and units have their scopes", async () => {
  const folders = ["models", "tests/models", "library"].map((name) => path.join(source, name)).filter(fs.existsSync);
  const files = folders.flatMap((folder) => fs.readdirSync(folder, { recursive: true }).map((name) => path.join(folder, name))).filter((name) => name.endsWith(".hbg"));
  assert.ok(files.length > 30);
  for (const file of files) {
    for (const [piece, scope] of await scopes(fs.readFileSync(file, "utf8"))) {
      const text = piece.trim();
      if (scope.startsWith("comment")) continue;
      assert.ok(!text.startsWith("//"), `${file}: a comment is ${scope}: ${text}`);
      if (/^(if|then|else|when|and|or|not)$/.test(text)) assert.ok(scope.startsWith("keyword"), `${file}: ${text} is ${scope}`);
      if (/^\d/.test(text) && scope === "source.hbg") assert.fail(`${file}: the number in ${text} has no scope`);
      if (/^\[(kg|m|s|N|V|A|m\/s|Ohm)\]$/.test(text)) assert.equal(scope, "support.constant.unit.hbg", `${file}: ${text}`);
    }
  }
});
