// SPDX-License-Identifier: BSD-3-Clause
// The tools of the paper: select or bond, arrange, what is shown at the cursor, how large.
import { useReactFlow, useStore } from '@xyflow/react';
import { useStudio } from '../parts';
import { arrange, fit, layOut } from './actions';
import type { Arrangement } from './arrange';
import { setCanvas, useCanvas } from './state';

const drawings = {
  select: 'M4 2.5 12.5 8 8.5 9 7 13z',
  bond: 'M2 9H13.5M13.5 9 10 11.5M13.5 5.5V12.5',
  arrange: 'M2.5 3h4v3h-4zM9.5 3h4v3h-4zM6 10h4v3H6zM4.5 6v2h7V6M8 8v2',
  fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  values: 'M2.5 5h2v6M7 5h3l-3 6h3.4M12 11h1.6',
  power: 'M2 4h12M2 8h12M2 12.5h12',
  row: 'M2 8h12M4 5h3v6H4zM10 6h2.5v4H10z',
  column: 'M8 2v12M5 4h6v3H5zM6 10h4v2.5H6z',
  'spread-row': 'M2.5 3v10M13.5 3v10M6.5 5.5h3v5h-3z',
  'spread-column': 'M3 2.5h10M3 13.5h10M5.5 6.5h5v3h-5z',
} as const;

function Drawing({ name }: { name: keyof typeof drawings }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className={`bar-drawing is-${name}`}>
      <path d={drawings[name]} />
    </svg>
  );
}

const arrangements: { name: Arrangement & keyof typeof drawings; title: string }[] = [
  { name: 'row', title: 'In one row' },
  { name: 'column', title: 'In one column' },
  { name: 'spread-row', title: 'At equal distances across' },
  { name: 'spread-column', title: 'At equal distances down' },
];

export function CanvasBar({ isEditable }: { isEditable: boolean }) {
  const flow = useReactFlow();
  const zoom = useStore((state) => Math.round(state.transform[2] * 100));
  const tool = useCanvas((state) => state.tool);
  const count = useStudio((state) => state.selection.symbols.length);
  const hasCursor = useStudio((state) => state.cursor !== null);
  const shownValues = useStudio((state) => state.shownValues);
  const shownPower = useStudio((state) => state.shownPower);
  return (
    <div className="canvas-bar" role="toolbar" aria-label="Drawing tools">
      {isEditable && (
        <>
          <button className="icon" aria-pressed={tool === 'select'} title="Select and move (Esc)" aria-label="Select and move" onClick={() => setCanvas({ tool: 'select', connecting: null })}>
            <Drawing name="select" />
          </button>
          <button className="icon" aria-pressed={tool === 'bond'} title="Draw bonds (B). Without this tool, draw from a symbol’s rim." aria-label="Draw bonds" onClick={() => setCanvas({ tool: 'bond' })}>
            <Drawing name="bond" />
          </button>
          <button className="icon" title="Place automatically: what is selected, else all (L)" aria-label="Place automatically" onClick={() => void layOut(useStudio.getState().selection.symbols)}>
            <Drawing name="arrange" />
          </button>
          {count > 1 && arrangements.map(({ name, title }) => (
            <button key={name} className="icon" title={title} aria-label={title} onClick={() => arrange(name)}>
              <Drawing name={name} />
            </button>
          ))}
          <span className="bar-line" />
        </>
      )}
      {hasCursor && (
        <>
          <button className="icon" aria-pressed={shownValues} title="Values at the bonds: effort above, flow below" aria-label="Values at the bonds" onClick={() => useStudio.setState({ shownValues: !shownValues })}>
            <Drawing name="values" />
          </button>
          <button className="icon" aria-pressed={shownPower} title="Bonds as thick as their power" aria-label="Bonds as thick as their power" onClick={() => useStudio.setState({ shownPower: !shownPower })}>
            <Drawing name="power" />
          </button>
          <span className="bar-line" />
        </>
      )}
      <button className="icon" title="Smaller (−)" aria-label="Smaller" onClick={() => void flow.zoomOut()}>
        <Drawing name="minus" />
      </button>
      <button className="bar-zoom" title="Actual size (Ctrl+0)" onClick={() => void flow.zoomTo(1)}>
        {zoom} %
      </button>
      <button className="icon" title="Larger (+)" aria-label="Larger" onClick={() => void flow.zoomIn()}>
        <Drawing name="plus" />
      </button>
      <button className="icon" title="Show all (Z)" aria-label="Show all" onClick={fit}>
        <Drawing name="fit" />
      </button>
    </div>
  );
}
