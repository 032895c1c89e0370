// SPDX-License-Identifier: BSD-3-Clause
// Variables of what is selected: their values at the cursor, and whether they are plotted.
import { shownNumber } from '../canvas/numbers';
import { useStudio } from '../parts';

export type Quantity = { letter: string; column: string; title: string };

export function Quantities({ quantities }: { quantities: Quantity[] }) {
  const answer = useStudio((state) => state.cursor?.answer ?? null);
  const columns = useStudio((state) => state.runs.find((run) => run.run === state.current)?.columns);
  const panes = useStudio((state) => state.panes);
  const { plot, unplot } = useStudio.getState();
  if (quantities.length === 0) return null;
  const isPlotted = (column: string): boolean => panes.some((pane) => pane.curves.some((curve) => curve.column === column));
  return (
    <section className="inspector-part">
      <h3>Variables</h3>
      {quantities.map(({ letter, column, title }) => {
        const known = columns?.find((each) => each.name === column);
        const value = answer?.values[column];
        return (
          <div className="quantity" key={column} title={title}>
            <span className="quantity-letter">{letter}</span>
            <code className="quantity-column">{column}</code>
            <span className="quantity-value">{value === undefined || value === null ? '' : `${shownNumber(value)} ${known?.unit ?? ''}`}</span>
            <button className="outlined quantity-plot" aria-pressed={isPlotted(column)} onClick={() => (isPlotted(column) ? unplot(column) : plot(column))}>
              {isPlotted(column) ? 'Plotted' : 'Plot'}
            </button>
          </div>
        );
      })}
    </section>
  );
}
