// SPDX-License-Identifier: BSD-3-Clause
// What was opened last, for the start page.
const recentKey = 'hybrsim-studio-recent';
export function recentlyOpened(): string[] {
  try {
    const stored = JSON.parse(localStorage.getItem(recentKey) ?? '[]') as unknown;
    return Array.isArray(stored) ? stored.filter((path): path is string => typeof path === 'string') : [];
  } catch {
    return [];
  }
}
export function rememberOpened(path: string) {
  if (path.startsWith('library:')) return;
  try {
    localStorage.setItem(recentKey, JSON.stringify([path, ...recentlyOpened().filter((other) => other !== path)].slice(0, 12)));
  } catch {
    // a browser without storage forgets, nothing else
  }
}
