// SPDX-License-Identifier: BSD-3-Clause
// A model drawn from nothing, run, and looked into: the bullet that flies into a block of wood.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { bond, canvasOf, drag, newModel, place, symbolOf } from './hands';
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
});
