// SPDX-License-Identifier: BSD-3-Clause
// Running, and looking at what a run was: points 5 and 6 of the studio.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headOf, stripOf } from './hands';
import { openStudio, picture, type Studio } from './studio';

const models = join(__dirname, '../../../../models');
const modelText = (name: string): string => readFileSync(join(models, name, `${name}.hbg`), 'utf8');
const million = `// A spring and a mass, looked at very closely.
model Million {
  I mass(1 [kg]) start f = 1 [m/s]
  C spring(1e-4 [m/N])
  1 motion
  motion -> mass
  motion -> spring
  stop 1 [s]
  interval 1e-6 [s]
}
`;

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio({ 'cradle.hbg': modelText('newtons-cradle'), 'bullet.hbg': modelText('bullet-wood'), 'ball.hbg': modelText('bouncing-ball'), 'million.hbg': million });
});
afterAll(async () => studio.close());

// By its address, as a link would open it.
const open = async (path: string): Promise<Page> => {
  const page = await studio.open();
  page.setDefaultTimeout(60_000);
  await page.goto('about:blank');
  await page.goto(studio.address.replace('#', '#token=') + `&open=${path}`);
  await page.locator('.workbench').waitFor();
  return page;
};
const ran = async (page: Page): Promise<void> => {
  await page.keyboard.press('F5');
  await page.locator('.run-progress.is-done, .run-progress.is-stopped').waitFor(); // the ball stops where its bounces pile up
  await page.locator('.plot-legend li').first().waitFor();
};
const openInstant = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Next event', exact: true }).click();
  await page.locator('.strip tbody tr').first().waitFor();
};
const setLimit = async (page: Page, value: string): Promise<void> => {
  const field = page.locator('.slider-row').getByLabel('Value of F_th');
  await field.fill(value);
  await field.press('Enter');
};

describe('the impact of the cradle, opened', () => {
  it('is Table 1 of the paper where the contact holds, and Table 2 where a slider lets it break', async () => {
    const page = await open('cradle.hbg');
    await ran(page);
    await openInstant(page);
    expect(await headOf(page)).toEqual(['before', 'pinnacle', 'after']);
    expect((await stripOf(page)).slice(0, 5)).toEqual(['F13 free touching free', 'F23 stuck stuck stuck', 'body1.p 1 −0.2 −0.2', 'body2.p 0 0.6 0.6', 'body3.p 0 0.6 0.6']);
    await picture(page, 'look-table-1');
    await setLimit(page, '0.5');
    await page.locator('.strip thead .is-mythical').waitFor();
    expect(await headOf(page)).toEqual(['before', 'mythical', 'pinnacle', 'after']);
    await page.locator('.strip tbody tr').nth(4).waitFor();
    expect((await stripOf(page)).slice(0, 5)).toEqual(['F13 free touching touching free', 'F23 stuck stuck sliding sliding', 'body1.p 1 −0.2 0.1 0.1', 'body2.p 0 0.6 0 0', 'body3.p 0 0.6 0.9 0.9']);
    await page.locator('.look').focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('.strip th.is-chosen.is-mythical').waitFor();
    await page.getByText('impulse(abs(F23.e)) > F_th').waitFor();
    await picture(page, 'look-table-2');
    await page.keyboard.press('ArrowRight');
    await page.locator('.strip th.is-chosen.is-pinnacle').waitFor();
    await page.getByText('Conserved').first().waitFor();
    await picture(page, 'look-pinnacle');
    await page.getByRole('tab', { name: 'Energy' }).click();
    await page.locator('.energy .ghost').first().waitFor();
    await picture(page, 'look-energy');
    expect(studio.mistakes).toEqual([]);
    await page.close();
  });
  it('stands beside the run that was kept', async () => {
    const page = await open('cradle.hbg');
    await ran(page);
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.getByRole('button', { name: 'keep', exact: true }).click();
    await setLimit(page, '0.5');
    await page.locator('.run-key li').nth(1).waitFor();
    expect(await page.locator('.run-key li').allTextContents()).toEqual(['as written', 'F_th = 0.5']);
    await picture(page, 'look-compared');
    await page.close();
  });
});

describe('plots', () => {
  it('tell 0.5 m/s at the cursor behind the impact of the bullet', async () => {
    const page = await open('bullet.hbg');
    await ran(page);
    await page.getByLabel('Search columns').fill('bullet.f');
    const column = page.locator('.column-choice button', { hasText: 'bullet.f' });
    await column.click();
    await page.locator('.column-choice button[aria-pressed="true"]', { hasText: 'bullet.f' }).waitFor();
    const box = await page.locator('.plot-frame').first().boundingBox();
    if (box === null) throw new Error('there is no plot');
    await page.mouse.click(box.x + 0.7 * box.width, box.y + box.height / 2);
    await page.locator('.plot-legend li', { hasText: 'bullet.f' }).getByText('0.5', { exact: true }).waitFor();
    await picture(page, 'look-bullet');
    await page.close();
  });
  it('are taken out as SVG and as CSV', async () => {
    const page = await open('cradle.hbg');
    await ran(page);
    for (const [item, file, words] of [['Plots as SVG', 'cradle-plots.svg', 'body1.p'], ['All rows as CSV', 'cradle.csv', 'body1.p'], ['Events as CSV', 'cradle-events.csv', 'pinnacle']] as const) {
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: item }).click()]);
      expect(download.suggestedFilename()).toBe(file);
      expect(readFileSync(await download.path(), 'utf8')).toContain(words);
    }
    await page.close();
  });
  it('zoom into a million rows within 100 ms', async () => {
    const page = await open('million.hbg');
    await ran(page);
    await page.waitForTimeout(1500);
    await page.locator('.plot-frame').first().waitFor();
    const times = await page.evaluate(async () => {
      const target = document.querySelector('.plot-overlay') as HTMLElement;
      const box = target.getBoundingClientRect();
      const painted = () => new Promise((then) => requestAnimationFrame(() => setTimeout(then, 0)));
      const times: number[] = [];
      for (let step = 0; step < 30; step++) {
        const begin = performance.now();
        target.dispatchEvent(new WheelEvent('wheel', { deltaY: step < 15 ? -300 : 300, clientX: box.left + 0.6 * box.width, clientY: box.top + 60, bubbles: true, cancelable: true }));
        await painted();
        times.push(performance.now() - begin);
      }
      return times.sort((a, b) => a - b);
    });
    await picture(page, 'look-million');
    expect(times[Math.floor(times.length / 2)]).toBeLessThan(100);
    await page.close();
  });
});

describe('a run', () => {
  it('goes from event to event', async () => {
    const page = await open('ball.hbg');
    await page.keyboard.press('F10');
    await page.locator('.run-progress.is-paused').waitFor();
    await page.keyboard.press('F10');
    await page.locator('.strip').waitFor();
    await picture(page, 'look-step');
    await page.locator('.run-controls').getByRole('button', { name: 'Stop', exact: true }).click();
    await page.locator('.run-progress.is-cancelled').waitFor();
    await page.close();
  });
  it('lists its events, however many', async () => {
    const page = await open('ball.hbg');
    await ran(page);
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.locator('.event-line').first().waitFor();
    await picture(page, 'look-events');
    expect(studio.mistakes).toEqual([]);
    await page.close();
  });
});
