// SPDX-License-Identifier: BSD-3-Clause
// The language server keeps what the protocol promises to a client that is not ours.
"use strict";
const { test } = require("node:test");
const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const url = require("node:url");
const { start, marked, edited, uri, protocol } = require("./server.js");

const cradle = `model Bullet {
  param m = 2 [kg]
  I bullet(m)  start f = 1 [m/s]
  1 motion
  0 contact by Contact
  motion -> bullet
  motion -> contact
  signal speed = motion.f
  machine Contact {
    off apart  initial
    on  joined
    apart -> joined  when time > 0.5
  }
  stop 1 [s]
}
`;

/** Runs `body` with a server that has `text` open, and sees to it that the server ends as it should. */
async function serving(text, body, encodings) {
  const server = await start(encodings);
  try {
    server.open(text);
    await body(server);
    assert.equal(await server.stop(), 0);
  } finally {
    server.child.kill(); // where a claim did not hold
  }
}

test("a right model has no diagnostics, and a wrong one has them with code, place and cure", async () => {
  await serving(cradle, async (server) => {
    assert.deepEqual(await server.problems(), []);
    server.change([{ range: { start: { line: 2, character: 11 }, end: { line: 2, character: 12 } }, text: "n" }]);
    const [problem] = await server.problems();
    assert.equal(problem.code, "E0201");
    assert.equal(problem.severity, protocol.DiagnosticSeverity.Error);
    assert.equal(problem.source, "hybrsim");
    assert.deepEqual(problem.range, { start: { line: 2, character: 11 }, end: { line: 2, character: 12 } });
    assert.match(problem.message, /'n'/);
    assert.match(problem.message, /help: /);
  });
});

test("changes arrive in order, in parts and as a whole", async () => {
  await serving("model A {\n}\n", async (server) => {
    server.change([
      { range: { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } }, text: "  stop 1\n" },
      { range: { start: { line: 1, character: 7 }, end: { line: 1, character: 8 } }, text: "x" },
    ]);
    const [problem] = await server.problems();
    assert.deepEqual(problem.range, { start: { line: 1, character: 7 }, end: { line: 1, character: 8 } });
    server.change([{ text: cradle }]);
    assert.deepEqual(await server.problems(), []);
  });
});

test("places count UTF-16 units, or bytes when that was agreed", async () => {
  const text = "model A {\n  /* 𝔸θ */ param a = b\n}\n";
  await serving(text, async (server) => {
    assert.equal(server.capabilities.positionEncoding, "utf-16");
    assert.deepEqual((await server.problems())[0].range.start, { line: 1, character: 22 });
  });
  await serving(text, async (server) => {
    assert.equal(server.capabilities.positionEncoding, "utf-8");
    assert.deepEqual((await server.problems())[0].range.start, { line: 1, character: 25 });
  }, ["utf-8", "utf-16"]);
  await serving("model A {\n  param θ𝔸 = 1, b = θ𝔸\n}\n", async (server) => {
    // 𝔸 is no letter of ours: the first character of the name is, and has one unit
    const hover = await server.ask("textDocument/hover", { line: 1, character: 8 });
    assert.deepEqual(hover.range, { start: { line: 1, character: 8 }, end: { line: 1, character: 9 } });
  });
});

test("hover tells law, value, units and causality", async () => {
  await serving(cradle, async (server) => {
    const hover = await server.ask("textDocument/hover", { line: 2, character: 6 });
    assert.equal(hover.contents.kind, "markdown");
    for (const words of ["I bullet(m)", "f = p / I", "value: 2", "`bullet.p` [N*s]", "integral"]) assert.ok(hover.contents.value.includes(words), words);
    assert.deepEqual(hover.range, { start: { line: 2, character: 4 }, end: { line: 2, character: 10 } });
    assert.equal(await server.ask("textDocument/hover", { line: 0, character: 8 + 100 }), null);
  });
});

test("completion follows the place", async () => {
  const labels = async (text) => {
    const { text: clean, position } = marked(text);
    let found;
    await serving(clean, async (server) => {
      const list = await server.ask("textDocument/completion", position);
      found = list.items.map((item) => item.label);
    });
    return found;
  };
  assert.deepEqual(await labels("model A {\n  I body(1)\n  signal s = body.‸\n}"), ["p", "e", "f"]);
  assert.ok((await labels("model A {\n  param m = 1 [‸")).includes("kg"));
  assert.ok((await labels("model A {\n  ‸\n}")).includes("signal"));
});

test("a signature shows the argument that is being written", async () => {
  const { text, position } = marked("model A {\n  signal s = limit(time, ‸\n}");
  await serving(text, async (server) => {
    const help = await server.ask("textDocument/signatureHelp", position);
    assert.equal(help.signatures[0].label, "limit(x, lowest, highest)");
    assert.equal(help.activeParameter, 1);
    assert.deepEqual(help.signatures[0].parameters.map((p) => help.signatures[0].label.slice(...p.label)), ["x", "lowest", "highest"]);
  });
});

test("definition, references and highlights agree on where a name is", async () => {
  await serving(cradle, async (server) => {
    const at = { line: 7, character: 18 }; // motion, in the signal
    const [definition] = await server.ask("textDocument/definition", at);
    assert.deepEqual(definition, { uri, range: { start: { line: 3, character: 4 }, end: { line: 3, character: 10 } } });
    const all = await server.ask("textDocument/references", at, { context: { includeDeclaration: true } });
    assert.deepEqual(all.map((place) => place.range.start.line), [3, 5, 6, 7]);
    const uses = await server.ask("textDocument/references", at, { context: { includeDeclaration: false } });
    assert.deepEqual(uses.map((place) => place.range.start.line), [5, 6, 7]);
    const highlights = await server.ask("textDocument/documentHighlight", at);
    assert.deepEqual(highlights.map((highlight) => highlight.range), all.map((place) => place.range));
  });
});

test("another name goes everywhere, and one that is taken nowhere", async () => {
  await serving(cradle, async (server) => {
    const at = { line: 3, character: 5 };
    assert.deepEqual(await server.ask("textDocument/prepareRename", at), { start: { line: 3, character: 4 }, end: { line: 3, character: 10 } });
    const answer = await server.ask("textDocument/rename", at, { newName: "flight" });
    assert.equal(edited(cradle, answer.changes[uri]), cradle.replaceAll("motion", "flight"));
    await assert.rejects(server.ask("textDocument/rename", at, { newName: "bullet" }), /something else/);
    await assert.rejects(server.ask("textDocument/rename", at, { newName: "when" }), /word of the language/);
    await assert.rejects(server.ask("textDocument/prepareRename", { line: 1, character: 3 }), /no name/);
  });
});

test("the outline is a tree", async () => {
  await serving(cradle, async (server) => {
    const [model, ...others] = await server.ask("textDocument/documentSymbol");
    assert.equal(others.length, 0);
    assert.equal(model.name, "Bullet");
    assert.deepEqual(model.children.map((child) => child.name), ["m", "bullet", "motion", "contact", "speed", "Contact"]);
    assert.deepEqual(model.children.at(-1).children.map((child) => child.name), ["apart", "joined"]);
  });
});

test("blocks and comments fold", async () => {
  await serving("// one\n// two\nmodel A {\n  machine M {\n    off a\n  }\n}\n", async (server) => {
    const folds = await server.ask("textDocument/foldingRange");
    assert.deepEqual(folds.map(({ startLine, endLine }) => [startLine, endLine]), [[0, 1], [2, 5], [3, 4]]);
  });
});

test("formatting is what hybrsim format does, and a text with mistakes stays", async () => {
  const untidy = "model A {\nparam   a=1 , b = 2*( a+1 )\n      stop 1\n}";
  const tidy = "model A {\n  param a = 1, b = 2*(a + 1)\n  stop 1\n}\n";
  const options = { options: { tabSize: 8, insertSpaces: false } };
  await serving(untidy, async (server) => {
    assert.equal(edited(untidy, await server.ask("textDocument/formatting", null, options)), tidy);
    const range = { start: { line: 2, character: 0 }, end: { line: 2, character: 8 } };
    assert.equal(edited(untidy, await server.ask("textDocument/rangeFormatting", null, { ...options, range })), untidy.replace("      stop", "  stop"));
    server.change([{ text: tidy }]);
    assert.deepEqual(await server.ask("textDocument/formatting", null, options), []);
    server.change([{ text: untidy + "}" }]);
    await assert.rejects(server.ask("textDocument/formatting", null, options), /mistakes/);
  });
});

test("mechanical cures are offered as quick fixes", async () => {
  const cure = async (text) => {
    let cured;
    await serving(text, async (server) => {
      const [problem] = await server.problems();
      const actions = await server.ask("textDocument/codeAction", null, { range: problem.range, context: { diagnostics: [problem] } });
      cured = actions.map((action) => edited(text, action.edit.changes[uri]));
      for (const action of actions) assert.equal(action.kind, "quickfix");
    });
    return cured;
  };
  assert.deepEqual(await cure("model A {\n  signal s = time > 1 && time < 2\n}\n"), ["model A {\n  signal s = time > 1 and time < 2\n}\n"]);
  assert.deepEqual(await cure("model A {\n  param mass = 1, k = mas\n}\n"), ["model A {\n  param mass = 1, k = mass\n}\n"]);
  assert.deepEqual(await cure("model A {\n  para mass = 1\n}\n"), ["model A {\n  param mass = 1\n}\n"]);
});

test("two things of one name point at each other", async () => {
  await serving("model A {\n  param a = 1\n  signal a = 2\n}\n", async (server) => {
    const [problem] = await server.problems();
    assert.equal(problem.code, "E0202");
    assert.equal(problem.relatedInformation[0].location.range.start.line, 3 - problem.range.start.line);
  });
});

test("semantic tokens cover names, words and numbers", async () => {
  await serving("model A {\n  param m = 2 [kg]\n}\n", async (server) => {
    const { data } = await server.ask("textDocument/semanticTokens/full");
    const types = server.capabilities.semanticTokensProvider.legend.tokenTypes;
    const found = [];
    for (let i = 0, line = 0, column = 0; i < data.length; i += 5) {
      column = data[i] ? data[i + 1] : column + data[i + 1];
      line += data[i];
      found.push([line, column, data[i + 2], types[data[i + 3]], data[i + 4]]);
    }
    assert.deepEqual(found, [[0, 0, 5, "keyword", 0], [0, 6, 1, "enum", 1], [1, 2, 5, "keyword", 0], [1, 8, 1, "parameter", 1], [1, 12, 1, "number", 0], [1, 14, 4, "string", 0]]);
  });
});

test("every prefix of a model is answered", async () => {
  const server = await start();
  server.open("");
  for (let length = 0; length < cradle.length; length++) {
    const line = cradle.slice(0, length).split("\n");
    const position = { line: line.length - 1, character: line.at(-1).length };
    server.change([{ range: { start: position, end: position }, text: cradle[length] }]);
    await server.ask("textDocument/completion", position);
    await server.ask("textDocument/hover", position);
    await server.ask("textDocument/documentSymbol");
    await server.ask("textDocument/semanticTokens/full");
  }
  assert.deepEqual(await server.problems(), []);
  assert.equal(await server.stop(), 0);
});

test("a request that was taken back is answered so", async () => {
  await serving(cradle, async (server) => {
    const source = new (require("vscode-jsonrpc").CancellationTokenSource)();
    // both messages are in the pipe before the server looks
    const busy = server.ask("textDocument/semanticTokens/full");
    const cancelled = server.connection.sendRequest("textDocument/hover", { textDocument: { uri }, position: { line: 2, character: 6 } }, source.token);
    source.cancel();
    await busy;
    const outcome = await cancelled.then((hover) => hover.contents.kind, (error) => error.code);
    assert.ok(outcome === protocol.LSPErrorCodes.RequestCancelled || outcome === "markdown", String(outcome));
  });
});

test("several files are open at once, and a closed one has no diagnostics", async () => {
  await serving(cradle, async (server) => {
    const other = "file:///models/other%20one.hbg";
    server.open("model B { param a = b }", other);
    assert.equal((await server.problems(other)).length, 1);
    server.connection.sendNotification("textDocument/didClose", { textDocument: { uri: other } });
    await server.ask("textDocument/documentSymbol");
    assert.deepEqual(server.published.get(other).diagnostics, []);
    await assert.rejects(server.connection.sendRequest("textDocument/hover", { textDocument: { uri: other }, position: { line: 0, character: 0 } }), /not open/);
  });
});

test("what another file declares is found there, saved or not", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "hybrsim lsp "));
  const part = path.join(folder, "part.hbg"), partUri = url.pathToFileURL(part).href, mainUri = url.pathToFileURL(path.join(folder, "main.hbg")).href;
  const text = 'import "part.hbg"\nmodel A {\n  Se s(1 [V])\n  Cell c(R = 2)\n  s -> c\n  signal u = c.inner.e\n  stop 1\n}\n';
  fs.writeFileSync(part, 'submodel Cell(port a, R = 1 [Ohm])  "a cell" {\n  1 line\n  R inner(R)\n  a -> line -> inner\n}\n');
  const server = await start();
  const ask = (method, position) => server.connection.sendRequest(method, { textDocument: { uri: mainUri }, position });
  try {
    server.open(text, mainUri);
    assert.deepEqual(await server.problems(mainUri), []);
    const [cell] = await ask("textDocument/definition", { line: 3, character: 3 });
    assert.deepEqual(cell, { uri: partUri, range: { start: { line: 0, character: 9 }, end: { line: 0, character: 13 } } });
    const [inner] = await ask("textDocument/definition", { line: 5, character: 16 });
    assert.deepEqual([inner.uri, inner.range.start], [partUri, { line: 2, character: 4 }]);
    const hover = await ask("textDocument/hover", { line: 3, character: 3 });
    assert.match(hover.contents.value, /a cell[\s\S]*part\.hbg/);
    const members = await ask("textDocument/completion", { line: 5, character: 15 });
    assert.deepEqual(members.items.map((item) => item.label), ["a", "R", "line", "inner"]);
    await assert.rejects(server.connection.sendRequest("textDocument/rename", { textDocument: { uri: mainUri }, position: { line: 3, character: 3 }, newName: "X" }), /declared in this file/);
    // the part as the editor has it, not saved: the name inside has changed
    server.open(fs.readFileSync(part, "utf8").replaceAll("inner", "other"), partUri);
    assert.deepEqual(await server.problems(partUri), []);
    server.change([{ text: text + "\n" }], mainUri);
    const [problem] = await server.problems(mainUri);
    assert.equal(problem.range.start.line, 5);
    assert.match(problem.message, /inner/);
  } finally {
    server.child.kill();
    fs.rmSync(folder, { recursive: true });
  }
});

test("the library that is built in is known", async () => {
  await serving('import "electrical.hbg" as el\nmodel A {\n  el.\n}\n', async (server) => {
    const { items } = await server.ask("textDocument/completion", { line: 2, character: 5 });
    assert.ok(items.some((item) => item.label === "Diode"));
  });
});

test("a large model is no burden", async () => {
  const lines = Array.from({ length: 20000 }, (_, i) => `  param p${i} = ${i}`);
  await serving(`model Large {\n${lines.join("\n")}\n  stop 1\n}\n`, async (server) => {
    for (let i = 0; i < 20; i++) server.change([{ range: { start: { line: 1, character: 8 }, end: { line: 1, character: 9 } }, text: "pq"[i % 2] }]);
    assert.deepEqual(await server.problems(), []);
    const [model] = await server.ask("textDocument/documentSymbol");
    assert.equal(model.children.length, lines.length);
  });
});
