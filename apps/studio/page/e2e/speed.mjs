// SPDX-License-Identifier: BSD-3-Clause
// Moves about in a model of a thousand elements and counts the frames: panning, zooming, dragging one symbol, dragging a hundred.
//   node e2e/speed.mjs FOLDER-OF-THE-BUILT-PAGE [LEAST-FRAMES-PER-SECOND]
// needs playwright-core and a Chromium (HYBRSIM_CHROMIUM, else /usr/bin/chromium). Software rendering counts: no graphics card is asked for.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { serve } from './mock.mjs';

const { chromium } = createRequire(process.env.HYBRSIM_PLAYWRIGHT ? resolve(process.env.HYBRSIM_PLAYWRIGHT, 'x') : import.meta.url)('playwright-core');
const folder = resolve(process.argv[2] ?? 'dist');
const least = Number(process.argv[3] ?? 30);
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

// Chains of masses and springs: 1,000 elements, 1,000 junctions, as in a large mechanical model.
function thousand() {
  const symbols = [], bonds = [];
  const symbol = (sort, kind, name, x, y, width, height) =>
    symbols.push({ sort, name, path: name, kind, label: sort === 'element' ? 'm' : '', x, y, width, height, isPlaced: true, from: 0, to: 0, file: '', isRepeated: false, machine: '', machineType: '', isOn: true, definition: '' });
  const bond = (tail, head, stroke) =>
    bonds.push({ tail, head, name: `${tail} -> ${head}`, effort: `${head}.e`, flow: `${head}.f`, stroke, isDerivative: false, isConflict: false, isOff: false, lane: 0, lanes: 1, from: 0, to: 0, file: '', isRepeated: false });
  const rows = 20, columns = 25;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const index = row * columns + column, x = column * 200, y = row * 200;
      symbol('junction', '1', `v${index}`, x, y, 16, 20);
      symbol('element', 'I', `m${index}`, x, y - 80, 56, 22);
      symbol('junction', '0', `F${index}`, x + 100, y, 16, 20);
      symbol('element', 'C', `k${index}`, x + 100, y - 80, 56, 22);
      bond(`v${index}`, `m${index}`, 'head');
      bond(`F${index}`, `k${index}`, 'tail');
      bond(`v${index}`, `F${index}`, 'tail');
      if (column > 0) bond(`F${index - 1}`, `v${index}`, 'head');
    }
  }
  return {
    version: 1, name: 'Thousand', isRight: true, problems: [], parameters: [], machines: [], machineTypes: [], submodels: [], stored: [], signals: [], loops: [], conflicts: [],
    islands: 20, stop: 1, diagram: { level: '', where: '', file: '', symbols, bonds, links: [], left: 0, top: 0, width: columns * 200, height: rows * 200 },
  };
}

// Frames while `move` goes on, as the page itself sees them.
async function frames(page, title, move) {
  await page.evaluate(() => {
    const seen = (window.frameTimes = []);
    const tick = (at) => {
      seen.push(at);
      window.frameRequest = requestAnimationFrame(tick);
    };
    window.frameRequest = requestAnimationFrame(tick);
  });
  const begin = Date.now();
  await move();
  const seconds = (Date.now() - begin) / 1000;
  const times = await page.evaluate(() => {
    cancelAnimationFrame(window.frameRequest);
    return window.frameTimes;
  });
  const gaps = times.slice(1).map((time, at) => time - times[at]).sort((one, other) => one - other);
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  const rate = (1000 * gaps.length) / total;
  const worst = gaps[Math.floor(gaps.length * 0.95)] ?? 0;
  process.stdout.write(`${title.padEnd(34)} ${rate.toFixed(1).padStart(6)} frames/s, 95 % within ${worst.toFixed(0)} ms (${seconds.toFixed(1)} s)\n`);
  return rate;
}

const server = await serve(folder, thousand());
const browser = await chromium.launch({ executablePath: process.env.HYBRSIM_CHROMIUM ?? '/usr/bin/chromium', args: flags });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
const failures = [];
page.on('pageerror', (error) => failures.push(error.message));
await page.goto(server.address);
await page.waitForSelector('[data-symbol="v0"], [data-symbol="v260"]');
await page.waitForTimeout(800);

const canvas = await page.locator('.canvas').boundingBox();
const middle = { x: canvas.x + canvas.width / 2, y: canvas.y + canvas.height / 2 };
const around = async (radius, steps) => {
  for (let step = 1; step <= steps; step++) {
    const angle = (step / steps) * 4 * Math.PI;
    await page.mouse.move(middle.x + radius * Math.sin(angle), middle.y + radius * (1 - Math.cos(angle)) * 0.5);
  }
};
const pan = async () => {
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down({ button: 'middle' });
  await around(160, 90);
  await page.mouse.up({ button: 'middle' });
};
const wheel = async () => {
  await page.mouse.move(middle.x, middle.y);
  for (let step = 0; step < 40; step++) await page.mouse.wheel(0, step < 20 ? -60 : 60);
};
const drag = async (name) => {
  const box = await page.locator(`[data-symbol="${name}"]`).boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  for (let step = 1; step <= 80; step++) await page.mouse.move(box.x + box.width / 2 + 90 * Math.sin(step / 10), box.y + box.height / 2 + step);
  await page.mouse.up();
};
const named = async (count) => page.evaluate((most) => [...document.querySelectorAll('[data-symbol]')].slice(0, most).map((each) => each.dataset.symbol), count);

const rates = [];
const measure = async (title, move) => rates.push(await frames(page, title, move));
await measure('pan, all of it in sight', pan);
await measure('zoom in and out', wheel);
await measure('drag one symbol, all in sight', async () => drag((await named(400)).at(-1)));
await page.locator('.canvas').focus();
await page.keyboard.press('Home'); // where dragging has taken the paper to nobody knows
await page.waitForTimeout(300);
await page.keyboard.press('Control+0');
await page.waitForTimeout(300);
await measure('pan, actual size', pan);
const near = async () => page.evaluate(([x, y]) => {
  const away = (each) => { const box = each.getBoundingClientRect(); return Math.hypot(box.x - x, box.y - y); };
  return [...document.querySelectorAll('[data-symbol]')].sort((one, other) => away(one) - away(other))[0].dataset.symbol;
}, [middle.x, middle.y]);
await measure('drag one symbol, actual size', async () => drag(await near()));
await page.keyboard.press('Home');
await page.waitForTimeout(300);
// a hundred or more, chosen by a frame drawn round them
await page.mouse.move(canvas.x + 30, canvas.y + 8);
await page.mouse.down();
await page.mouse.move(middle.x - 120, middle.y - 20, { steps: 4 });
await page.mouse.up();
await page.waitForTimeout(300);
const chosen = await page.locator('.symbol.is-selected').count();
await measure(`drag ${chosen} symbols at once`, async () => drag(await page.evaluate(() => document.querySelectorAll('.symbol.is-selected')[20]?.dataset.symbol)));
await page.screenshot({ path: process.env.HYBRSIM_SHOT ?? '/dev/null', type: 'png' }).catch(() => undefined);
await browser.close();
server.close();
if (failures.length > 0) process.stdout.write(`${failures.join('\n')}\n`);
const slowest = Math.min(...rates);
process.stdout.write(`slowest ${slowest.toFixed(1)} frames/s, at least ${least} wanted\n`);
process.exitCode = slowest < least || failures.length > 0 || chosen < 100 ? 1 : 0;
