// SPDX-License-Identifier: BSD-3-Clause
// What is no message, or comes at the wrong time, does the language server no harm. Spoken byte by byte.
"use strict";
const { test } = require("node:test");
const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");

const frame = (text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
const message = (content) => frame(JSON.stringify({ jsonrpc: "2.0", ...content }));
const hello = message({ id: 1, method: "initialize", params: { capabilities: {} } });
const farewell = message({ id: 99, method: "shutdown" }) + message({ method: "exit" });

/** Sends `bytes`, ends the input, and gives the messages that come back and the exit status. */
function converse(bytes) {
  return new Promise((resolve) => {
    const child = spawn(process.env.HYBRSIM, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stdin.on("error", () => {});
    child.on("close", (status, signal) => {
      const messages = [];
      for (let rest = Buffer.concat(chunks); rest.length;) {
        const header = /^Content-Length: (\d+)\r\n\r\n/.exec(rest.toString("latin1"));
        assert.ok(header, "nothing but messages is on standard output");
        const end = header[0].length + Number(header[1]);
        messages.push(JSON.parse(rest.subarray(header[0].length, end)));
        rest = rest.subarray(end);
      }
      resolve({ messages, status: signal ?? status });
    });
    child.stdin.end(bytes);
  });
}

test("the life of a server has its order", async () => {
  const early = await converse(message({ id: 1, method: "textDocument/hover", params: {} }) + hello + hello + farewell);
  assert.deepEqual(early.messages.map((m) => m.error?.code), [-32002, undefined, -32600, undefined]);
  assert.equal(early.status, 0);
  const late = await converse(hello + message({ id: 2, method: "shutdown" }) + message({ id: 3, method: "textDocument/hover", params: {} }) + message({ method: "exit" }));
  assert.equal(late.messages.at(-1).error.code, -32600);
  assert.equal((await converse(hello + message({ method: "exit" }))).status, 1);
  assert.equal((await converse(hello)).status, 1); // the client went away
});

test("what is no JSON, no message or no method is answered, and the next message is read", async () => {
  for (const nonsense of [frame("{"), frame("[1, 2]"), frame("3"), frame(""), frame('{"id": 5}'), frame('{"\\ud800": 1}'), "Content-Type: x\r\n\r\n", message({ id: 5, method: "textDocument/fly" })]) {
    const { messages, status } = await converse(hello + nonsense + farewell);
    assert.equal(messages.length, 3, nonsense);
    assert.ok(messages[1].error.code <= -32600, nonsense);
    assert.equal(status, 0, nonsense);
  }
});

test("parameters of any kind are survived", async () => {
  const odd = [undefined, null, 3, [], {}, { textDocument: 3 }, { textDocument: { uri: 3 } }, { textDocument: { uri: "file:///a" } },
    { textDocument: { uri: "file:///a", text: 3, version: "x" } }, { textDocument: { uri: "file:///a" }, position: { line: -1, character: 1e300 } },
    { textDocument: { uri: "file:///a" }, contentChanges: [3, {}, { text: 3 }, { text: "x", range: 3 }, { text: "y", range: { start: { line: 9, character: 9 }, end: { line: 0, character: 0 } } }] }];
  const methods = ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "textDocument/hover", "textDocument/completion", "textDocument/rename",
    "textDocument/codeAction", "textDocument/formatting", "textDocument/rangeFormatting", "textDocument/semanticTokens/full", "$/cancelRequest", "workspace/didChangeConfiguration"];
  const open = message({ method: "textDocument/didOpen", params: { textDocument: { uri: "file:///a", version: 1, text: "model A { }" } } });
  let bytes = hello + open, requests = 0;
  for (const method of methods)
    for (const params of odd) bytes += message({ id: `r${requests++}`, method, params }) + message({ method, params }) + open;
  const { messages, status } = await converse(bytes + farewell);
  assert.equal(status, 0);
  const answers = messages.filter((m) => typeof m.id === "string");
  assert.equal(answers.length, requests);
});

test("a message may arrive in pieces, and lines of its header may be short", async () => {
  const bytes = Buffer.from((hello + farewell).replaceAll("\r\n", "\n"));
  const child = spawn(process.env.HYBRSIM, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdout.resume();
  const ended = new Promise((resolve) => child.on("exit", resolve));
  for (const byte of bytes) child.stdin.write(Buffer.of(byte));
  assert.equal(await ended, 0);
});

test("random bytes and damaged messages do no harm", async () => {
  let seed = 20261120;
  const random = (n) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % n;
  const whole = Buffer.from(hello + message({ method: "textDocument/didOpen", params: { textDocument: { uri: "file:///a", version: 1, text: "model A { I a(1) }" } } }) +
    message({ id: 2, method: "textDocument/hover", params: { textDocument: { uri: "file:///a" }, position: { line: 0, character: 13 } } }) + farewell);
  for (let round = 0; round < 60; round++) {
    const bytes = Buffer.from(whole);
    for (let times = 1 + random(8); times > 0; times--) bytes[random(bytes.length)] = random(256);
    const { status } = await converse(bytes);
    assert.ok(status === 0 || status === 1, `round ${round}: ${status}`);
  }
});
