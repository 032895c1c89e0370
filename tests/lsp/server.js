// SPDX-License-Identifier: BSD-3-Clause
// The language server, started for a test and spoken to by the library that Visual Studio Code itself uses.
"use strict";
const { spawn } = require("node:child_process");
const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = require("vscode-jsonrpc/node");
const protocol = require("vscode-languageserver-protocol");

const program = process.env.HYBRSIM;
const uri = "file:///models/test.hbg";

/** A server with a client; `encodings` is what the client offers. */
async function start(encodings) {
  const child = spawn(program, ["lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve(signal ?? code)));
  const connection = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  const published = new Map(); // uri: the newest diagnostics
  const waiting = [];
  connection.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => {
    published.set(params.uri, params);
    for (const look of waiting.splice(0)) look();
  });
  connection.onError(([error]) => { throw error; });
  connection.listen();
  const general = encodings ? { positionEncodings: encodings } : {};
  const answer = await connection.sendRequest(protocol.InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities: { general } });
  connection.sendNotification(protocol.InitializedNotification.type, {});

  const server = {
    child, connection, ended, capabilities: answer.capabilities, published,
    version: 0,
    open(text, where = uri) {
      connection.sendNotification(protocol.DidOpenTextDocumentNotification.type,
        { textDocument: { uri: where, languageId: "hybrsim", version: ++server.version, text } });
    },
    change(contentChanges, where = uri) {
      connection.sendNotification(protocol.DidChangeTextDocumentNotification.type,
        { textDocument: { uri: where, version: ++server.version }, contentChanges });
    },
    /** The diagnostics of the newest version. */
    async problems(where = uri) {
      while (published.get(where)?.version !== server.version) await new Promise((resolve) => waiting.push(resolve));
      return published.get(where).diagnostics;
    },
    ask(method, position, rest = {}) {
      return connection.sendRequest(method, { textDocument: { uri }, ...(position ? { position } : {}), ...rest });
    },
    async stop() {
      await connection.sendRequest(protocol.ShutdownRequest.type);
      await connection.sendNotification(protocol.ExitNotification.type);
      const status = await ended;
      connection.dispose();
      return status;
    },
  };
  return server;
}

/** `text` without its mark ‸, and where that was, in UTF-16. */
function marked(text) {
  const at = text.indexOf("‸");
  const before = text.slice(0, at).split("\n");
  return { text: text.replace("‸", ""), position: { line: before.length - 1, character: before.at(-1).length } };
}

/** `text` with edits of the protocol made (UTF-16). */
function edited(text, edits) {
  const lines = text.split("\n");
  const offset = (p) => lines.slice(0, p.line).reduce((sum, line) => sum + line.length + 1, 0) + p.character;
  const ordered = [...edits].sort((a, b) => offset(b.range.start) - offset(a.range.start));
  for (const edit of ordered) text = text.slice(0, offset(edit.range.start)) + edit.newText + text.slice(offset(edit.range.end));
  return text;
}

module.exports = { start, marked, edited, uri, protocol };
