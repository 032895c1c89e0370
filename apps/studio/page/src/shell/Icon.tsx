// SPDX-License-Identifier: BSD-3-Clause
// Line drawings on 16 by 16 for buttons. They say nothing to readers of screens: the button has its words.
const paths = {
  back: 'M10 3 5 8l5 5',
  save: 'M3 3h8l2 2v8H3zM5.5 3v3.5h4V3M5.5 13V9.5h5V13',
  undo: 'M6 3 3 6l3 3M3 6h6a4 4 0 0 1 0 8H6',
  redo: 'm10 3 3 3-3 3M13 6H7a4 4 0 0 0 0 8h3',
  search: 'M11 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0M10 10l3.5 3.5',
  text: 'M3 4h10M3 8h7M3 12h9',
  palette: 'M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM9 9h4v4H9z',
  inspector: 'M2.5 3h11v10h-11zM10 3v10',
  plots: 'M2.5 2.5v11h11M4.5 10l3-4 2 2.5 3.5-5',
  share: 'M8 2v8M5 5l3-3 3 3M3 9v4h10V9',
  help: 'M6 6a2 2 0 1 1 3 1.7c-.7.4-1 .8-1 1.8M8 12v.2M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0',
  close: 'm4 4 8 8M12 4l-8 8',
  add: 'M8 3v10M3 8h10',
  open: 'M2.5 12.5v-9h4l1.5 2h5.5v7z',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5H2.5v-8h8V3',
} as const;
export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className="icon-drawing">
      <path d={paths[name]} />
    </svg>
  );
}
