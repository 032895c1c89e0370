// SPDX-License-Identifier: BSD-3-Clause
// Small drawings on the buttons of the machine editor.
const paths = {
  up: 'M8 12V4M4.5 7.5 8 4l3.5 3.5',
  down: 'M8 4v8M4.5 8.5 8 12l3.5-3.5',
  delete: 'M3.5 5h9M6.5 5V3.5h3V5M5 5l.6 8h4.8L11 5',
  arrow: 'M3 8h9M9 5l3 3-3 3',
  enlarge: 'M9.5 3H13v3.5M6.5 13H3V9.5M13 3 9 7M3 13l4-4',
  'begin-not': 'M11.5 8a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0',
} as const;
export type SignName = keyof typeof paths | 'begin';

export function Sign({ name }: { name: SignName }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className="machine-sign">
      {name === 'begin' ? <circle cx="8" cy="8" r="4" className="is-full" /> : <path d={paths[name]} />}
    </svg>
  );
}
