// SPDX-License-Identifier: BSD-3-Clause
// The text is the truth: drawing and text change the same document, mistakes are told at both, and nothing is lost.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bond, canvasOf, place, symbolOf } from './hands';
import { openStudio, picture, type Studio } from './studio';

const spring = `// A mass on a spring.
model Spring {
  param m = 1 [kg]   // not much
  I mass(m) start f = 1 [m/s]
  C spring(0.01 [m/N])
  1 motion
  motion -> mass
  motion -> spring
  stop 1 [s]
}
`;

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio({ 'spring.hbg': spring, 'one.hbg': spring, 'two.hbg': spring, 'crash.hbg': spring, 'disk.hbg': spring, 'wrong.hbg': spring, 'inside.hbg': spring });
});
afterAll(async () => studio.close());
afterEach(async () => {
  for (const page of studio.context.pages()) await page.close();
});

const textOf = async (page: Page): Promise<string> => {
  const lines = await page.locator('.text-pane .cm-line').allInnerTexts();
  return lines.map((line) => line.replace(/\u00a0/g, ' ').replace(/\n$/, '')).join('\n');
};
const showText = async (page: Page): Promise<void> => {
  if (!(await page.locator('.text-pane .cm-content').isVisible())) await page.getByRole('button', { name: 'Text', exact: true }).click();
  await page.locator('.text-pane .cm-content').waitFor();
};
const type = async (page: Page, behind: string, text: string): Promise<void> => {
  await page.locator('.text-pane .cm-line', { hasText: behind }).first().click();
  await page.keyboard.press('End');
  await page.keyboard.insertText(text);
};

describe('drawing and text', () => {
  it('are one document, and comments stay', async () => {
    const page = await studio.open('spring.hbg');
    await showText(page);
    await canvasOf(page).focus();
    await place(page, 'r', 500, 60, 'damper(2 [N*s/m])');
    await bond(page, 'motion', 'damper');
    await expect.poll(() => textOf(page)).toMatch(/motion -> damper/);
    expect(await textOf(page)).toMatch(/R damper\(2 \[N\*s\/m\]\)/);
    expect(await textOf(page)).toMatch(/\/\/ not much/);
    expect(await textOf(page)).toMatch(/damper\s+at -?\d/);
    await type(page, 'C spring', '\n  Se weight(-9.81 [N])\n  weight -> motion');
    await symbolOf(page, 'weight').waitFor();
    await picture(page, 'text-and-drawing');
  });

  it('can be undone step by step, back to the first letter', async () => {
    const page = await studio.open('one.hbg');
    await showText(page);
    const before = await textOf(page);
    await canvasOf(page).focus();
    await place(page, 'r', 500, 60, 'damper(2 [N*s/m])');
    await bond(page, 'motion', 'damper');
    await expect.poll(() => textOf(page)).toMatch(/motion -> damper/);
    for (let step = 0; step < 3 && (await textOf(page)) !== before; step++) {
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.waitForTimeout(200);
    }
    expect(await textOf(page)).toBe(before);
    await page.getByRole('button', { name: 'Redo' }).click();
    await symbolOf(page, 'damper').waitFor();
  });

  it('tell a mistake where it is, on both sides', async () => {
    const page = await studio.open('wrong.hbg');
    await showText(page);
    await type(page, 'C spring', '\n  R lonely(1)');
    await symbolOf(page, 'lonely').locator('.symbol-badge').waitFor();
    await page.locator('.cm-lintRange-error').first().waitFor();
    await picture(page, 'mistake');
  });
});

describe('two pages upon one model', () => {
  it('lose nothing of what either does', async () => {
    const first = await studio.open('two.hbg');
    const second = await studio.open('two.hbg');
    await canvasOf(first).focus();
    await place(first, 'r', 500, 60, 'damper(2 [N*s/m])');
    await canvasOf(second).focus();
    await place(second, 'e', 200, 60, 'weight(1 [N])');
    await symbolOf(first, 'weight').waitFor();
    await symbolOf(second, 'damper').waitFor();
  });
});

describe('what was not saved', () => {
  it('survives a page that is gone and a server that was killed', async () => {
    const page = await studio.open('crash.hbg');
    await canvasOf(page).focus();
    await place(page, 'r', 500, 60, 'damper(2 [N*s/m])');
    await page.waitForTimeout(1500); // drafts are written a moment later
    await page.close({ runBeforeUnload: false });
    await studio.restart('SIGKILL');
    const again = await studio.open('crash.hbg');
    await symbolOf(again, 'damper').waitFor();
    expect(studio.read('crash.hbg')).toBe(spring);
  });

  it('is not overwritten by a file that another program has changed, nor does it overwrite it', async () => {
    const page = await studio.open('disk.hbg');
    await canvasOf(page).focus();
    await place(page, 'r', 500, 60, 'damper(2 [N*s/m])');
    studio.write('disk.hbg', spring.replace('not much', 'changed by somebody else'));
    await page.getByText(/changed .*disk\.hbg|disk\.hbg.* changed/i).first().waitFor();
    await picture(page, 'changed-on-disk');
    expect(studio.read('disk.hbg')).toMatch(/changed by somebody else/);
    await symbolOf(page, 'damper').waitFor();
  });
});

describe('a selection', () => {
  it('becomes a submodel that can be entered, and left again', async () => {
    const page = await studio.open('inside.hbg');
    await canvasOf(page).focus();
    await symbolOf(page, 'spring').click();
    await page.keyboard.press('Control+g');
    await page.getByRole('dialog').getByRole('textbox').fill('Elastic');
    await page.keyboard.press('Enter');
    const instance = page.locator('[data-kind="Elastic"]');
    await instance.waitFor();
    await picture(page, 'submodel');
    await instance.dblclick();
    await symbolOf(page, 'spring').waitFor();
    await picture(page, 'inside');
    await canvasOf(page).focus();
    await page.keyboard.press('u');
    await instance.waitFor();
  });
});
