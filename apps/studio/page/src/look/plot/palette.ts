// SPDX-License-Identifier: BSD-3-Clause
// The colours of theme.css as a canvas needs them.
import { useSyncExternalStore } from 'react';
import type { Colour, Palette } from './shapes';

export const readPalette = (): Palette => {
  const style = getComputedStyle(document.documentElement);
  const known = new Map<Colour, string>();
  return (colour) => {
    let value = known.get(colour);
    if (value === undefined) {
      value = style.getPropertyValue(colour).trim() || 'currentColor';
      known.set(colour, value);
    }
    return value;
  };
};

const query = '(prefers-color-scheme: dark)';
const subscribe = (then: () => void) => {
  const media = window.matchMedia(query);
  media.addEventListener('change', then);
  return () => media.removeEventListener('change', then);
};

// Changes with the theme, so that what depends on it is painted anew.
export const useTheme = (): string => useSyncExternalStore(subscribe, () => (window.matchMedia(query).matches ? 'dark' : 'light'));
