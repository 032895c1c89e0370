// SPDX-License-Identifier: BSD-3-Clause
// A model drawn from nothing, run, and looked into: the bullet that flies into a block of wood.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { addTransition, bond, drag, newModel, place, symbolOf } from './hands';
import { openStudio, picture, type Studio } from './studio';

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await openStudio();
  page = await studio.open();
});
afterAll(async () => {
  await studio.close();
});

describe('the bullet and the wood, from an empty page', () => {
  it('is drawn by keys and by the mouse', async () => {
    await newModel(page, 'Bullet and wood');
    await place(page, '1', 200, 150, 'bullet_motion');
    await place(page, '0', 400, 150, 'contact');
    await place(page, '1', 600, 150, 'wood_motion');
    await place(page, 'i', 200, 300, 'bullet(1 [kg]) start f = 1 [m/s]');
    await place(page, 'i', 600, 300, 'wood(1 [kg])');
    await bond(page, 'bullet_motion', 'bullet');
    await bond(page, 'bullet_motion', 'contact');
    await drag(page, 'contact', 'wood_motion');
    await drag(page, 'wood_motion', 'wood');
    await page.waitForTimeout(500);
    await picture(page, 'drawn');
    await page.keyboard.press('Control+s');
    await expect.poll(() => studio.read('bullet-and-wood.hbg')).toMatch(/wood_motion -> wood/);
  });

  it('gets a machine, and signals by which it switches', async () => {
    await page.keyboard.press('Escape');
    await place(page, 's', 200, 60, 'x = integral(bullet_motion.f, start = -0.2)');
    await place(page, 's', 600, 60, 'y = integral(wood_motion.f)');
    await place(page, 's', 400, 60, 'gap = y - x');
    await page.keyboard.press('Escape');
    await symbolOf(page, 'contact').click();
    await page.keyboard.press('m');
    await page.getByLabel('States').waitFor();
    await page.getByLabel('Begin in separate').click();
    await addTransition(page, 'separate', 'connected', 'gap <= 0');
    await expect.poll(() => page.getByLabel('Guard of transition 1').innerText()).toContain('gap <= 0');
    await page.keyboard.press('Escape');
    await picture(page, 'machine');
    expect(await symbolOf(page, 'contact').getAttribute('aria-label')).toMatch(/off, separate/);
  });

  it('runs, and the wood moves at 0.5 m/s behind the impact', async () => {
    await page.keyboard.press('F5');
    await page.getByRole('button', { name: /Look into it/ }).waitFor();
    const plot = (await page.locator('.plot-pane').first().boundingBox())!;
    await page.mouse.click(plot.x + 0.7 * plot.width, plot.y + plot.height / 2);
    await symbolOf(page, 'wood_motion').click();
    await expect.poll(() => page.locator('.inspector').innerText()).toMatch(/0\.5/);
    expect(await symbolOf(page, 'contact').getAttribute('aria-label')).toMatch(/on, connected/);
    await picture(page, 'at-cursor');
  });

  it('shows within the instant how the junction switches', async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Next event|Event before/ }).first().click();
    await page.locator('.instant').waitFor();
    await picture(page, 'instant');
    expect(await symbolOf(page, 'contact').getAttribute('aria-label')).toMatch(/off, separate/);
    await page.getByRole('button', { name: '→' }).click().catch(() => undefined);
  });

  it('has no mistakes in its console', () => {
    expect(studio.mistakes).toEqual([]);
  });
});
