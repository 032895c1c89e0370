// SPDX-License-Identifier: BSD-3-Clause
// What is selected, in words and fields: a symbol, a bond, several of them, or the model itself.
import { bondKey } from '../store';
import { useStudio } from '../parts';
import { whyNotEditable } from '../canvas/level';
import { BondPart } from './BondPart';
import './inspector.css';
import { ModelPart } from './ModelPart';
import { SeveralPart } from './SeveralPart';
import { SymbolPart } from './SymbolPart';

export function Inspector() {
  const look = useStudio((state) => state.look);
  const selection = useStudio((state) => state.selection);
  const isReadOnly = useStudio((state) => state.isReadOnly);
  const diagram = look?.diagram ?? null;
  // what was undone since it was selected is no longer there
  const symbols = selection.symbols.filter((name) => diagram?.symbols.some((each) => each.name === name));
  const bonds = selection.bonds.filter((key) => diagram?.bonds.some((each) => bondKey(each) === key));
  const reason = whyNotEditable(diagram, isReadOnly);
  const isEditable = reason === '';
  const symbol = symbols.length === 1 && bonds.length === 0 ? diagram?.symbols.find((each) => each.name === symbols[0]) : undefined;
  const bond = bonds.length === 1 && symbols.length === 0 ? diagram?.bonds.find((each) => bondKey(each) === bonds[0]) : undefined;
  const isSeveral = symbols.length + bonds.length > 1;
  return (
    <div className="inspector">
      {!look ? null : symbol && diagram ? (
        <SymbolPart key={symbol.name} symbol={symbol} where={diagram.where} isEditable={isEditable} />
      ) : bond ? (
        <BondPart bond={bond} isEditable={isEditable} />
      ) : isSeveral ? (
        <SeveralPart symbols={symbols.length} bonds={bonds.length} isEditable={isEditable} />
      ) : (
        <ModelPart look={look} isEditable={isEditable} reason={reason} />
      )}
    </div>
  );
}
