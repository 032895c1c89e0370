// SPDX-License-Identifier: BSD-3-Clause
// What hands do on the page: keys, clicks and drags, as a user has them.
import type { Locator, Page } from 'playwright-core';

export const canvasOf = (page: Page): Locator => page.getByRole('application', { name: 'Drawing of the model' });
export const symbolOf = (page: Page, name: string): Locator => page.locator(`[data-symbol="${name}"]`);

// A new model in the folder, empty.
export const newModel = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'New model' }).first().click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create' }).click();
  await canvasOf(page).waitFor();
};

// Presses a key until `wanted` is there: a page that is still being drawn, on a machine that has much else to do, takes none yet, and whoever sees nothing presses again.
const pressUntil = async (page: Page, key: string, wanted: Locator): Promise<void> => {
  for (let tries = 1; ; tries++) {
    await page.keyboard.press(key);
    try {
      return await wanted.waitFor({ timeout: 4000 });
    } catch (missing) {
      if (tries === 5) throw missing;
      await canvasOf(page).focus();
    }
  }
};

// Presses the key of a symbol with the pointer at a place [px from the drawing's corner], types its text, and takes it.
export const place = async (page: Page, key: string, x: number, y: number, text: string): Promise<void> => {
  const box = (await canvasOf(page).boundingBox())!;
  await page.mouse.move(box.x + x, box.y + y);
  const field = canvasOf(page).locator('.entry input').first();
  await pressUntil(page, key, field);
  await field.fill(text);
  await field.press('Enter');
  await symbolOf(page, /^[A-Za-z_][A-Za-z_0-9]*/.exec(text)![0]).waitFor();
};

// Joins two symbols: both chosen, then the key of bonds.
export const bond = async (page: Page, tail: string, head: string): Promise<void> => {
  await page.keyboard.press('Escape');
  await symbolOf(page, tail).click();
  await symbolOf(page, head).click({ modifiers: ['Shift'] });
  await page.keyboard.press('b');
};

// Draws a bond with the mouse: from the rim of one symbol onto another.
export const drag = async (page: Page, tail: string, head: string): Promise<void> => {
  const from = (await symbolOf(page, tail).boundingBox())!;
  const to = (await symbolOf(page, head).boundingBox())!;
  await page.mouse.move(from.x + from.width / 2, from.y - 3);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 5 });
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
  await page.mouse.up();
};

// Writes the guard of a new transition of the machine that the inspector shows.
export const addTransition = async (page: Page, from: string, to: string, guard: string): Promise<void> => {
  await page.getByRole('button', { name: '+ Transition' }).click();
  await page.getByLabel('New transition: from').selectOption(from);
  await page.getByLabel('New transition: to').selectOption(to);
  const field = page.getByLabel('Guard of the new transition');
  await field.click();
  await page.keyboard.type(guard);
  await page.keyboard.press('Escape'); // proposals
  await page.keyboard.press('Enter');
};

// The instant's table, a line of words for each of its rows, and the kinds of its columns.
export const stripOf = (page: Page): Promise<string[]> =>
  page.locator('.strip tbody tr').evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('th, td:not(.unit)')].map((cell) => cell.textContent?.trim() ?? '').join(' ')));
export const headOf = (page: Page): Promise<string[]> => page.locator('.strip thead .kind').allTextContents();

// Runs again with another value of a parameter, which the text does not get.
export const tryParameter = async (page: Page, name: string, value: string): Promise<void> => {
  const field = page.locator('.slider-row').getByLabel(`Value of ${name}`);
  await field.fill(value);
  await field.press('Enter');
};
