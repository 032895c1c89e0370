// SPDX-License-Identifier: BSD-3-Clause
// The model itself: what is wrong with it, its parameters, how long it runs, what it stores.
import { useMemo, useState } from 'react';
import { known, partsOf, setPart, showSymbol } from '../canvas/actions';
import { isName, whyNotName } from '../canvas/names';
import { shownNumber } from '../canvas/numbers';
import { problemsOf } from '../canvas/view';
import { currentSession } from '../document/current';
import { useStudio } from '../parts';
import type { LookAnswer, ParameterInfo, Problem } from '../protocol';
import { allParameters, parameterTexts, stopText } from './parameterTexts';
import { PartField } from './PartField';

const most = 200; // rows of a list

const useParameterTexts = (): Map<string, string> => {
  const look = useStudio((state) => state.look);
  return useMemo(() => (look ? parameterTexts(currentSession()?.state.doc.toString() ?? '') : new Map<string, string>()), [look]);
};

export function ModelPart({ look, isEditable, reason }: { look: LookAnswer; isEditable: boolean; reason: string }) {
  const where = look.diagram?.where ?? '';
  return (
    <>
      <header className="inspector-head">
        <div>
          <div className="inspector-sort">{where === '' ? 'Model' : 'Submodel'}</div>
          <div className="inspector-name">{where || look.name}</div>
        </div>
      </header>
      {reason !== '' && <p className="inspector-about">{reason}</p>}
      <Problems look={look} />
      {where === '' && <Parameters look={look} isEditable={isEditable} />}
      {where === '' && <Stop look={look} isEditable={isEditable} />}
      <Stored look={look} />
      <Facts look={look} />
    </>
  );
}

// ---- what is wrong ----

function Problems({ look }: { look: LookAnswer }) {
  if (look.problems.length === 0) {
    return look.isRight && (look.diagram?.symbols.length ?? 0) > 0 ? <p className="inspector-right">Nothing is wrong with it.</p> : null;
  }
  return (
    <section className="inspector-part">
      <h3>{look.problems.length === 1 ? 'One remark' : `${look.problems.length} remarks`}</h3>
      {look.problems.slice(0, most).map((problem, at) => (
        <ProblemRow key={at} problem={problem} look={look} />
      ))}
    </section>
  );
}

function ProblemRow({ problem, look }: { problem: Problem; look: LookAnswer }) {
  const isLookCurrent = useStudio((state) => state.isLookCurrent);
  const isReadOnly = useStudio((state) => state.isReadOnly);
  const go = (): void => {
    const text = isLookCurrent ? (currentSession()?.state.doc.toString() ?? null) : null;
    const [name] = problemsOf({ ...look, problems: [problem] }, text).symbols.keys();
    if (name) showSymbol(name);
    useStudio.getState().showText(problem.from, problem.to);
  };
  return (
    <div className={problem.isError ? 'problem' : 'problem is-warning'}>
      <button className="problem-text" onClick={go} title={`${problem.code} ${problem.title}`}>
        <span className="problem-mark">{problem.isError ? '!' : '?'}</span>
        <span>
          {problem.message}
          {problem.help && <span className="problem-help">{problem.help}</span>}
        </span>
      </button>
      {!isReadOnly && isLookCurrent && problem.fixes.map((fix) => (
        <button key={fix.title} className="outlined problem-fix" onClick={() => currentSession()?.applyEdits([fix.edit])}>
          {fix.title}
        </button>
      ))}
    </div>
  );
}

// ---- parameters ----

function Parameters({ look, isEditable }: { look: LookAnswer; isEditable: boolean }) {
  const parameters = allParameters(look.parameters, useParameterTexts());
  if (parameters.length === 0 && !isEditable) return null;
  return (
    <section className="inspector-part">
      <h3>Parameters</h3>
      {parameters.slice(0, most).map((parameter) => (
        <ParameterRow key={parameter.name} parameter={parameter} isEditable={isEditable} />
      ))}
      {parameters.length > most && <p className="inspector-about">… and {parameters.length - most} more in the text.</p>}
      {isEditable && <NewParameter />}
    </section>
  );
}

export function ParameterRow({ parameter, isEditable }: { parameter: ParameterInfo; isEditable: boolean }) {
  const texts = useParameterTexts();
  const written = texts.get(parameter.name);
  const text = written ?? `${shownNumber(parameter.value, 6)}`;
  return (
    <div className="parameter" title={parameter.description}>
      <span className="parameter-name">{parameter.name}</span>
      <PartField
        isBare label={`Value of ${parameter.name}`} text={text} isDisabled={!isEditable || written === undefined}
        take={(typed) => setPart(parameter.name, 'value', withUnit(typed, parameter.unit), '')}
      />
      {parameter.description !== '' && <span className="parameter-about">{parameter.description}</span>}
    </div>
  );
}

// A bare number counts in the unit that the parameter has.
export const withUnit = (typed: string, unit: string): string => (unit !== '' && /^-?[\d.]+(e[+-]?\d+)?$/i.test(typed) ? `${typed} [${unit}]` : typed);

function NewParameter() {
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const add = async (): Promise<void> => {
    if (text.trim() === '') return;
    const found = /^\s*([^=\s]+)\s*=\s*(.+)$/.exec(text);
    const name = found?.[1] ?? '';
    if (!found || !isName(name)) {
      setReason(found ? whyNotName(name) : 'Write name = value, for example m = 2 [kg].');
      return;
    }
    if (known().names.has(name)) {
      setReason(`There is already something with the name ${name}.`);
      return;
    }
    const answer = await useStudio.getState().edit([{ op: 'add', where: '', statements: `param ${name} = ${found[2]!.trim()}`, places: [] }]);
    setReason(answer.reason);
    if (!answer.reason) setText('');
  };
  return (
    <div className="parameter-new">
      <input
        value={text} placeholder="add: m = 2 [kg]" aria-label="New parameter: name = value" spellCheck={false}
        onChange={(event) => {
          setText(event.target.value);
          setReason('');
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void add();
        }}
      />
      <button className="outlined" disabled={text.trim() === ''} onClick={() => void add()}>Add</button>
      {reason !== '' && <span className="part-reason">{reason}</span>}
    </div>
  );
}

// ---- the run ----

function Stop({ look, isEditable }: { look: LookAnswer; isEditable: boolean }) {
  const text = look.stop === null ? stopText(currentSession()?.state.doc.toString() ?? '') : `${shownNumber(look.stop, 6)} [s]`;
  const take = async (typed: string): Promise<string> => {
    const value = /^[\d.]+(e[+-]?\d+)?$/i.test(typed) ? `${typed} [s]` : typed;
    const parts = await partsOf('stop', '');
    const stands = parts !== null && parts.reason === '' && parts.parts.value.text !== '';
    if (stands) return setPart('stop', 'value', value, '');
    return (await useStudio.getState().edit([{ op: 'add', where: '', statements: `stop ${value}`, places: [] }])).reason;
  };
  return (
    <section className="inspector-part">
      <h3>Run</h3>
      <PartField label="Until" text={text} placeholder="10 [s]" isDisabled={!isEditable} take={take} />
    </section>
  );
}

function Stored({ look }: { look: LookAnswer }) {
  const answer = useStudio((state) => state.cursor?.answer ?? null);
  const nodes = new Set(look.diagram?.symbols.map((symbol) => symbol.name));
  const storages = look.stored.filter((stored) => stored.node !== '');
  if (storages.length === 0) return null;
  return (
    <section className="inspector-part">
      <h3>Stored</h3>
      {storages.slice(0, most).map(({ name, node }) => (
        <button key={name} className="stored" disabled={!nodes.has(node)} onClick={() => showSymbol(node)}>
          <code>{name}</code>
          <span>{answer && name in answer.values ? shownNumber(answer.values[name]) : ''}</span>
        </button>
      ))}
    </section>
  );
}

function Facts({ look }: { look: LookAnswer }) {
  if (look.loops.length === 0 && look.conflicts.length === 0) return null;
  return (
    <section className="inspector-part">
      <h3>Causality of this mode</h3>
      {look.conflicts.map((conflict) => (
        <p key={conflict} className="fact is-conflict">{conflict}</p>
      ))}
      {look.loops.slice(0, 20).map((loop) => (
        <p key={loop.join()} className="fact">Algebraic loop, solved through {loop.join(', ')}.</p>
      ))}
    </section>
  );
}
