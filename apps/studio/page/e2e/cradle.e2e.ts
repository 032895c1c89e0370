// SPDX-License-Identifier: BSD-3-Clause
// Newton's cradle with a rider, drawn from an empty page by hand, run, and looked into: the two tables of the paper that it comes from.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { addTransition, bond, canvasOf, drag, headOf, newModel, place, stripOf, symbolOf, tryParameter } from './hands';
import { openStudio, picture, type Studio } from './studio';

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await openStudio();
  page = await studio.open();
  page.setDefaultTimeout(60_000);
});
afterAll(async () => {
  await studio.close();
});

const addParameter = async (text: string): Promise<void> => {
  const field = page.getByLabel('New parameter: name = value');
  await field.fill(text);
  await field.press('Enter');
  await page.getByLabel(`Value of ${text.split(' ')[0]}`).first().waitFor();
};
const renameState = async (from: string, to: string): Promise<void> => {
  const field = page.getByLabel(`Name of state ${from}`);
  await field.fill(to);
  await field.press('Enter');
  await page.getByLabel(`Name of state ${to}`).waitFor();
};

describe("Newton's cradle, from an empty page", () => {
  it('gets its parameters', async () => {
    await picture(page, 'cradle-00-start');
    await newModel(page, 'Cradle');
    await picture(page, 'cradle-01-empty');
    for (const text of ['v1 = 1 [m/s]', 'x1 = -0.2 [m]', 'restitution = 0.8', 'F_th = 0.95 [N*s]', 'v_th = 0.1^(1/2) [m/s]']) await addParameter(text);
    await picture(page, 'cradle-02-parameters');
  });

  it('gets its bodies, junctions and bonds', async () => {
    await canvasOf(page).focus();
    await place(page, '1', 120, 260, 'motion1');
    await place(page, '0', 280, 260, 'F13');
    await place(page, '1', 440, 260, 'motion3');
    await place(page, '0', 600, 260, 'F23');
    await place(page, '1', 760, 260, 'motion2');
    await place(page, 'i', 120, 140, 'body1(1 [kg]) start f = v1');
    await place(page, 'i', 440, 140, 'body3(1 [kg])');
    await place(page, 'i', 760, 140, 'body2(1 [kg])');
    await picture(page, 'cradle-03-placed');
    for (const [tail, head] of [['motion1', 'body1'], ['motion1', 'F13'], ['F13', 'motion3']] as const) await bond(page, tail, head);
    for (const [tail, head] of [['motion3', 'body3'], ['motion3', 'F23'], ['F23', 'motion2'], ['motion2', 'body2']] as const) await drag(page, tail, head);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.bond[data-bond], .bond').count()).toBeGreaterThanOrEqual(7);
    await picture(page, 'cradle-04-bonds');
  });

  it('gets signals, and a source that reads one', async () => {
    await place(page, 's', 60, 400, 'position1 = integral(motion1.f, start = x1)');
    await place(page, 's', 440, 400, 'position3 = integral(motion3.f)');
    await place(page, 's', 220, 400, 'approach = motion1.f - motion3.f');
    await place(page, 's', 600, 400, 'slip = motion3.f - motion2.f');
    await place(page, 'f', 280, 140, 'bounce(restitution*pre(approach))');
    await drag(page, 'bounce', 'F13');
    await page.waitForTimeout(400);
    await page.keyboard.press('Escape');
    await picture(page, 'cradle-05-signals');
  });

  it('gets the machine of the collision, and that of stiction', async () => {
    await symbolOf(page, 'F13').click();
    await page.keyboard.press('m');
    await page.getByLabel('States').waitFor();
    await picture(page, 'cradle-06-machine');
    await page.getByLabel('Begin in separate').click();
    await renameState('separate', 'free');
    await renameState('connected', 'touching');
    await addTransition(page, 'free', 'touching', 'position1 - position3 >= 0 and approach > 0');
    await page.getByLabel('Guard of transition 1').waitFor();
    await addTransition(page, 'touching', 'free', 'pre(approach) < 0');
    await page.getByLabel('Guard of transition 2').waitFor();
    await picture(page, 'cradle-07-impact');
    await page.keyboard.press('Escape');
    await symbolOf(page, 'F23').click();
    await page.keyboard.press('m');
    await page.getByLabel('States').waitFor();
    await renameState('separate', 'sliding');
    await renameState('connected', 'stuck');
    await addTransition(page, 'stuck', 'sliding', 'impulse(abs(F23.e)) > F_th');
    await page.getByLabel('Guard of transition 1').waitFor();
    await addTransition(page, 'sliding', 'stuck', 'abs(slip) < v_th');
    await page.getByLabel('Guard of transition 2').waitFor();
    await page.waitForTimeout(500);
    await picture(page, 'cradle-08-stiction');
    await page.keyboard.press('Control+s');
    await expect.poll(() => studio.read('cradle.hbg')).toMatch(/abs\(slip\) < v_th/);
  });

  it('runs, and its instant is Table 1 of the paper', async () => {
    await page.keyboard.press('F5');
    await page.locator('.run-progress.is-done').waitFor();
    await page.waitForTimeout(500);
    await picture(page, 'cradle-09-run');
    await page.getByRole('button', { name: 'Next event', exact: true }).click();
    await page.locator('.strip tbody tr').nth(4).waitFor();
    expect(await headOf(page)).toEqual(['before', 'pinnacle', 'after']);
    await picture(page, 'cradle-10-instant');
    expect((await stripOf(page)).slice(0, 5).sort()).toEqual(['F13 free touching free', 'F23 stuck stuck stuck', 'body1.p 1 −0.2 −0.2', 'body2.p 0 0.6 0.6', 'body3.p 0 0.6 0.6']);
  });

  it('is Table 2 where the contact may break', async () => {
    await tryParameter(page, 'F_th', '0.5');
    await page.locator('.strip thead .is-mythical').waitFor();
    await page.locator('.strip tbody tr').nth(4).waitFor();
    expect(await headOf(page)).toEqual(['before', 'mythical', 'pinnacle', 'after']);
    expect((await stripOf(page)).slice(0, 5).sort()).toEqual([
      'F13 free touching touching free', 'F23 stuck stuck sliding sliding', 'body1.p 1 −0.2 0.1 0.1', 'body2.p 0 0.6 0 0', 'body3.p 0 0.6 0.9 0.9',
    ]);
    await page.locator('.look').focus();
    for (const kind of ['mythical', 'pinnacle', 'after']) {
      await page.keyboard.press('ArrowRight');
      await page.waitForTimeout(400);
      await picture(page, `cradle-11-${kind}`);
      if (kind === 'mythical') expect(await symbolOf(page, 'F23').getAttribute('aria-label')).toMatch(/on, stuck/);
      if (kind === 'pinnacle') expect(await symbolOf(page, 'F23').getAttribute('aria-label')).toMatch(/off, sliding/);
    }
  });

  it('has no mistakes in its console', () => {
    expect(studio.mistakes).toEqual([]);
  });
});
