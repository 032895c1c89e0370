// SPDX-License-Identifier: BSD-3-Clause
// Several symbols and bonds at once: put in line, made a submodel, copied, deleted.
import { arrange, copySelected, duplicateSelected, layOut, removeSelected, reverseBonds } from '../canvas/actions';
import type { Arrangement } from '../canvas/arrange';
import { setCanvas } from '../canvas/state';
import { useStudio } from '../parts';

const arrangements: { arrangement: Arrangement; title: string }[] = [
  { arrangement: 'row', title: 'One row' },
  { arrangement: 'column', title: 'One column' },
  { arrangement: 'left', title: 'Left sides' },
  { arrangement: 'right', title: 'Right sides' },
  { arrangement: 'top', title: 'Upper sides' },
  { arrangement: 'bottom', title: 'Lower sides' },
  { arrangement: 'spread-row', title: 'Spread across' },
  { arrangement: 'spread-column', title: 'Spread down' },
];

export function SeveralPart({ symbols, bonds, isEditable }: { symbols: number; bonds: number; isEditable: boolean }) {
  const selected = useStudio((state) => state.selection);
  const counted = [symbols > 0 ? `${symbols} ${symbols === 1 ? 'symbol' : 'symbols'}` : '', bonds > 0 ? `${bonds} ${bonds === 1 ? 'bond' : 'bonds'}` : ''].filter(Boolean).join(', ');
  return (
    <>
      <header className="inspector-head">
        <div>
          <div className="inspector-sort">Selected</div>
          <div className="inspector-name">{counted}</div>
        </div>
      </header>
      {isEditable && symbols > 1 && (
        <section className="inspector-part">
          <h3>Put in line</h3>
          <div className="inspector-grid">
            {arrangements.map(({ arrangement, title }) => (
              <button key={arrangement} className="outlined" onClick={() => arrange(arrangement)}>
                {title}
              </button>
            ))}
          </div>
        </section>
      )}
      <div className="inspector-buttons">
        {isEditable && symbols > 0 && (
          <>
            <button className="outlined" onClick={() => setCanvas({ isNaming: true })}>Make a submodel</button>
            <button className="outlined" onClick={() => void layOut(selected.symbols)}>Place automatically</button>
            <button className="outlined" onClick={() => void duplicateSelected()}>Duplicate</button>
          </>
        )}
        {symbols > 0 && <button className="outlined" onClick={() => void copySelected()}>Copy</button>}
        {isEditable && symbols === 0 && <button className="outlined" onClick={() => reverseBonds(selected.bonds)}>Turn the half arrows</button>}
        {isEditable && <button className="outlined danger" onClick={() => void removeSelected()}>Delete</button>}
      </div>
    </>
  );
}
