// SPDX-License-Identifier: BSD-3-Clause
// The parts of one symbol's declaration, its variables, and the machine that switches it.
import { useEffect, useState } from 'react';
import { beginRename, enter, giveMachine, partsOf, removeSelected, rename, setPart } from '../canvas/actions';
import { elementRow, elementRows, plainKind } from '../canvas/elementTable';
import { whyNotName } from '../canvas/names';
import { MachineEditor } from '../machine/MachineEditor';
import { useStudio } from '../parts';
import type { DiagramSymbol, PartName, PartsAnswer } from '../protocol';
import { ParameterRow } from './ModelPart';
import { PartField } from './PartField';
import { Quantities } from './Quantities';
import { quantitiesOfSymbol } from './quantitiesOf';

const sortTitles = { element: 'Element', junction: 'Junction', submodel: 'Submodel', signal: 'Signal', port: 'Port', machine: 'Machine' };

type Row = { part: PartName; label: string; placeholder: string };
const rowsOf = ({ sort, kind }: DiagramSymbol): Row[] => {
  const description: Row = { part: 'description', label: 'Description', placeholder: 'what it is, in words' };
  if (sort === 'signal') return [{ part: 'value', label: 'Expression', placeholder: 'integral(motion.f) [m]' }, description];
  if (sort === 'submodel') return [{ part: 'arguments', label: 'Arguments', placeholder: 'R = 2 [Ohm]' }, description];
  if (sort === 'port') return [description];
  if (sort === 'junction') return [{ part: 'control', label: 'Switched by', placeholder: 'no machine' }, description];
  if (sort === 'machine') return [];
  const stored = plainKind(kind) === 'C' ? 'q = 0, e = ...' : 'p = 0, f = ...';
  const rows: Row[] = [
    { part: 'arguments', label: 'Value', placeholder: `${kind === 'C' ? 'm1, 2 [F], K = 100 [N/m]' : 'm1, or 2 [kg]'}` },
    { part: 'law', label: 'Law', placeholder: kind === 'R' ? 'e = 9*f*abs(f)' : '' },
  ];
  if (/^M?[IC]$|^IC$/.test(kind)) rows.push({ part: 'start', label: 'Start', placeholder: stored });
  return [...rows, description];
};

// The parts of the declaration, asked for again whenever the text has changed.
const useParts = (name: string, where: string): PartsAnswer | null => {
  const look = useStudio((state) => state.look);
  const [answer, setAnswer] = useState<PartsAnswer | null>(null);
  useEffect(() => {
    const asked = new AbortController();
    void partsOf(name, where, asked.signal).then((next) => {
      if (!asked.signal.aborted && next) setAnswer(next);
    });
    return () => asked.abort();
  }, [name, where, look]);
  return answer;
};

export function SymbolPart({ symbol, where, isEditable }: { symbol: DiagramSymbol; where: string; isEditable: boolean }) {
  const answer = useParts(symbol.name, where);
  const look = useStudio((state) => state.look);
  const showText = useStudio((state) => state.showText);
  // while the model is wrong only its text tells which machine it is
  const written = /^[\p{L}_][\p{L}\p{N}_]*/u.exec(answer?.parts.control.text ?? '')?.[0] ?? '';
  const machineType = symbol.machineType || (look?.machineTypes.includes(written) ? written : '');
  const isFixed = !isEditable || symbol.isRepeated;
  const row = symbol.sort === 'element' ? elementRow(symbol.kind) : undefined;
  const argument = answer?.parts.arguments.text.replace(/^K\s*=\s*/, '') ?? '';
  const parameter = where === '' ? look?.parameters.find((each) => each.name === argument) : undefined;
  return (
    <>
      <header className="inspector-head">
        <span className={`inspector-kind is-${symbol.sort}`}>{symbol.sort === 'signal' ? '' : symbol.kind}</span>
        <div>
          <div className="inspector-sort">{row ? row.title : symbol.sort === 'junction' ? `${symbol.kind}-junction` : sortTitles[symbol.sort]}</div>
          <div className="inspector-name">{symbol.name}</div>
        </div>
      </header>
      {row && <p className="inspector-about">{row.description}</p>}
      {symbol.isRepeated && <p className="inspector-about">Declared once for several, by a loop or a range: what is changed in the text counts for all of them.</p>}
      <section className="inspector-part">
        <PartField label="Name" text={symbol.name} isDisabled={isFixed || symbol.from === symbol.to} take={async (text) => whyNotName(text) || rename(symbol.name, text)} />
        {row && isEditable && !symbol.isRepeated && <KindField symbol={symbol} where={where} />}
        {rowsOf(symbol).map(({ part, label, placeholder }) => {
          const shown = answer?.parts[part];
          if (!shown || (!shown.isPossible && shown.text === '')) return null;
          if (part === 'law' && shown.text === '' && answer.parts.arguments.text !== '') return null;
          return (
            <PartField key={part} label={label} text={shown.text} placeholder={placeholder} isDisabled={isFixed} take={(text) => setPart(symbol.name, part, text, where)} />
          );
        })}
        {parameter && <ParameterRow parameter={parameter} isEditable={isEditable} />}
      </section>
      <Quantities quantities={quantitiesOfSymbol(symbol)} />
      {machineType !== '' && (
        <section className="inspector-part">
          <h3>Machine {machineType}</h3>
          <MachineEditor where={where} machine={machineType} />
        </section>
      )}
      <div className="inspector-buttons">
        {symbol.sort === 'junction' && symbol.machine === '' && machineType === '' && isEditable && (
          <>
            <button className="outlined" onClick={() => void giveMachine(symbol.name)}>Switch it by a machine</button>
            {(look?.machineTypes.length ?? 0) > 0 && <MachineChoice name={symbol.name} where={where} types={look?.machineTypes ?? []} />}
          </>
        )}
        {symbol.sort === 'submodel' && <button className="outlined" onClick={() => enter(symbol.name)}>Look inside</button>}
        {symbol.file === '' && symbol.to > symbol.from && <button className="outlined" onClick={() => showText(symbol.from, symbol.to)}>Show in text</button>}
        {!isFixed && symbol.sort !== 'port' && <button className="outlined" onClick={() => beginRename(symbol.name)}>Rename</button>}
        {isEditable && <button className="outlined danger" onClick={() => void removeSelected()}>Delete</button>}
      </div>
    </>
  );
}

function KindField({ symbol, where }: { symbol: DiagramSymbol; where: string }) {
  const ports = elementRow(symbol.kind)?.ports;
  const kinds = elementRows.filter((row) => row.ports === ports && row.ports !== Infinity);
  const { notify } = useStudio.getState();
  if (kinds.length < 2) return null;
  return (
    <label className="part-field">
      <span className="part-name">Kind</span>
      <select
        value={plainKind(symbol.kind)}
        onChange={(event) => {
          void setPart(symbol.name, 'kind', event.target.value, where).then((reason) => {
            if (reason) notify('warning', reason);
          });
        }}
      >
        {kinds.map((row) => (
          <option key={row.kind} value={row.kind}>
            {row.kind} · {row.title}
          </option>
        ))}
      </select>
    </label>
  );
}

function MachineChoice({ name, where, types }: { name: string; where: string; types: string[] }) {
  const { notify } = useStudio.getState();
  return (
    <select
      aria-label="Switch it by a machine of this model" value=""
      onChange={(event) => {
        void setPart(name, 'control', event.target.value, where).then((reason) => {
          if (reason) notify('warning', reason);
        });
      }}
    >
      <option value="" disabled>
        by …
      </option>
      {types.map((type) => (
        <option key={type}>{type}</option>
      ))}
    </select>
  );
}
