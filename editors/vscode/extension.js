// SPDX-License-Identifier: BSD-3-Clause
// Starts `hybrsim lsp` for files of the language, and stops it.
"use strict";
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const settings = workspace.getConfiguration("hybrsim");
  const server = { command: settings.get("program"), args: ["lsp", ...settings.get("arguments")] };
  client = new LanguageClient("hybrsim", "HyBrSim", server, { documentSelector: [{ language: "hybrsim" }] });
  return client.start();
};

exports.deactivate = () => client?.stop();
