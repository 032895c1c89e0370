// SPDX-License-Identifier: BSD-3-Clause
// A studio for a test: a folder of its own, a server on it, a browser, and a page whose mistakes are the test's.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const program = process.env.HYBRSIM ?? 'hybrsim';
const browserPath = process.env.HYBRSIM_BROWSER || '/usr/bin/chromium';
const flags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

export type Studio = {
  folder: string;
  address: string; // with the token
  server: ChildProcess;
  browser: Browser;
  context: BrowserContext;
  mistakes: string[]; // what pages wrote to the console as errors, and what they threw
  open: (path?: string) => Promise<Page>; // a new page; with a path, of that model
  read: (path: string) => string;
  write: (path: string, text: string) => void;
  restart: (signal?: NodeJS.Signals) => Promise<void>; // end the server, and start it again on the same port
  close: () => Promise<void>;
};

const started = (server: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    let errors = '';
    const take = (piece: Buffer): void => {
      text += piece.toString();
      const address = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(text);
      if (address) resolve(address[0]);
    };
    server.stdout?.on('data', take);
    server.stderr?.on('data', (piece: Buffer) => {
      errors += piece.toString();
      take(piece);
    });
    server.on('exit', (code) => reject(new Error(`the studio ended with ${code}: ${errors}`)));
  });

const serve = async (folder: string, port?: number): Promise<{ server: ChildProcess; address: string }> => {
  const more = [...(port ? ['--port', String(port)] : []), ...(process.env.HYBRSIM_ASSETS ? ['--assets', process.env.HYBRSIM_ASSETS] : [])];
  const server = spawn(program, ['studio', folder, '--no-browser', ...more], { stdio: ['ignore', 'pipe', 'pipe'] });
  return { server, address: await started(server) };
};

// Ends the server by its own process. One that is asked to end does so without a word: sanitizers would have told of leaks here.
const ended = (server: ChildProcess, signal: NodeJS.Signals): Promise<void> =>
  new Promise((resolve, reject) => {
    let told = '';
    server.stderr?.on('data', (piece: Buffer) => (told += piece.toString()));
    const check = (): void => {
      if (signal === 'SIGTERM' && server.exitCode !== 0) reject(new Error(`the studio ended with ${server.exitCode ?? server.signalCode}: ${told}`));
      else resolve();
    };
    if (server.exitCode !== null || server.signalCode !== null) return check();
    server.on('close', check);
    server.kill(signal);
  });

// `models`: files of the folder, by path.
export const openStudio = async (models: Record<string, string> = {}, size = { width: 1440, height: 900 }): Promise<Studio> => {
  const folder = mkdtempSync(join(tmpdir(), 'hybrsim-studio-'));
  const write = (path: string, text: string): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(models)) write(path, text);
  let { server, address } = await serve(folder);
  const browser = await chromium.launch({ executablePath: browserPath, args: flags });
  const context = await browser.newContext({ viewport: size, deviceScaleFactor: 1, acceptDownloads: true });
  const mistakes: string[] = [];
  const studio: Studio = {
    folder, address, server, browser, context, mistakes, write,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    open: async (path) => {
      const page = await context.newPage();
      page.on('pageerror', (error) => mistakes.push(String(error)));
      page.on('console', (message) => {
        const isRetried = message.text().includes('409'); // the text had moved on, and the page asks again
        if (message.type() === 'error' && !isRetried) mistakes.push(message.text());
      });
      await page.goto(studio.address);
      if (path) {
        await page.getByRole('button', { name: path }).first().click();
        await page.locator('.react-flow').waitFor();
      }
      return page;
    },
    restart: async (signal = 'SIGTERM') => {
      const port = Number(/:(\d+)\//.exec(studio.address)?.[1]);
      await ended(studio.server, signal);
      const again = await serve(folder, port);
      studio.server = server = again.server;
      studio.address = address = again.address;
    },
    close: async () => {
      await browser.close();
      await ended(studio.server, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return studio;
};

// A picture to be looked at, where HYBRSIM_PICTURES names a folder.
export const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.HYBRSIM_PICTURES;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
};
