// SPDX-License-Identifier: BSD-3-Clause
// One bond: its ends, its causality, its variables.
import { removeSelected, reverseBonds } from '../canvas/actions';
import { useStudio } from '../parts';
import type { DiagramBond } from '../protocol';
import { bondKey } from '../store';
import { Quantities } from './Quantities';
import { quantitiesOfBond } from './quantitiesOf';

const causality = (bond: DiagramBond): string => {
  if (bond.stroke === 'unknown') return 'Causality is not known yet: the model is not complete.';
  const given = bond.stroke === 'head' ? bond.head : bond.tail;
  const giving = bond.stroke === 'head' ? bond.tail : bond.head;
  const usual = `${giving} sets the effort; ${given} is given it and answers with the flow.`;
  if (bond.isConflict) return `${usual} One of them may not have it so: a conflict.`;
  if (bond.isDerivative) return `${usual} The storage is in derivative causality: what it stores depends on others.`;
  if (bond.isOff) return `${usual} No power: a junction is off.`;
  return usual;
};

export function BondPart({ bond, isEditable }: { bond: DiagramBond; isEditable: boolean }) {
  const { select, showText } = useStudio.getState();
  const isNamed = !bond.name.includes('->');
  const end = (name: string) => (
    <button className="inspector-end" onClick={() => select({ symbols: [name], bonds: [] })}>
      {name}
    </button>
  );
  return (
    <>
      <header className="inspector-head">
        <span className="inspector-kind is-bond">⇀</span>
        <div>
          <div className="inspector-sort">Bond{isNamed ? ` ${bond.name}` : ''}</div>
          <div className="inspector-name">
            {end(bond.tail)} → {end(bond.head)}
          </div>
        </div>
      </header>
      <p className="inspector-about">Power counts positive from {bond.tail} to {bond.head}. {causality(bond)}</p>
      <Quantities quantities={quantitiesOfBond(bond)} />
      <div className="inspector-buttons">
        {isEditable && <button className="outlined" disabled={bond.isRepeated} onClick={() => reverseBonds([bondKey(bond)])}>Turn the half arrow</button>}
        {bond.file === '' && bond.to > bond.from && <button className="outlined" onClick={() => showText(bond.from, bond.to)}>Show in text</button>}
        {isEditable && <button className="outlined danger" onClick={() => void removeSelected()}>Delete</button>}
      </div>
    </>
  );
}
