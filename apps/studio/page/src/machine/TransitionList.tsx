// SPDX-License-Identifier: BSD-3-Clause
// The transitions in their order: of several that hold the first is taken. The last row is the one that is being added.
import { useEffect, useRef, useState } from 'react';
import type { MachineAnswer } from '../protocol';
import { GuardField } from './GuardField';
import type { State, Transition } from './layout';
import { conditionOf, guardToSend, markOf, meaningOf } from './marks';
import { shortName } from './names';
import { Sign } from './Sign';
import type { Change } from './useMachine';

export type Draft = { from: string; to: string };

function Ends({ states, from, to, label, isReadOnly, onChange }: {
  states: State[]; from: string; to: string; label: string; isReadOnly: boolean; onChange: (from: string, to: string) => void;
}) {
  const names = [...new Set([from, to, ...states.map((state) => state.name)])];
  const options = names.map((name) => <option key={name} value={name}>{shortName(name, names)}</option>);
  return (
    <span className="machine-ends">
      <select aria-label={`${label}: from`} value={from} disabled={isReadOnly} onChange={(event) => onChange(event.target.value, to)}>{options}</select>
      <Sign name="arrow" />
      <select aria-label={`${label}: to`} value={to} disabled={isReadOnly} onChange={(event) => onChange(from, event.target.value)}>{options}</select>
    </span>
  );
}

function Row({ transition, number, count, machine, isChosen, isReadOnly, isEditing, change, onChoose }: {
  transition: Transition; number: number; count: number; machine: MachineAnswer; isChosen: boolean; isReadOnly: boolean; isEditing: boolean;
  change: Change; onChoose: () => void;
}) {
  const row = useRef<HTMLLIElement>(null);
  const [reason, setReason] = useState('');
  const condition = conditionOf(transition);
  useEffect(() => setReason(''), [condition]);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isChosen]);
  const move = (isUp: boolean) => void change({ edit: 'move-transition', transition: number, isOn: isUp });
  const label = `Transition ${number + 1}`;
  return (
    <li ref={row} className={isChosen ? 'machine-row is-chosen' : 'machine-row'} onFocus={onChoose} onPointerDown={onChoose}
      onKeyDown={(event) => {
        if (isReadOnly || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
        event.preventDefault();
        move(event.key === 'ArrowUp');
      }}>
      <span className="machine-row-number">{number + 1}</span>
      <Ends states={machine.states} from={transition.from} to={transition.to} label={label} isReadOnly={isReadOnly}
        onChange={(from, to) => void change({ edit: 'set-ends', transition: number, state: from, other: to })} />
      <span className="machine-row-tools">
        <button className="icon" disabled={isReadOnly || number === 0} title="Earlier (Alt ↑): of several that hold the first is taken" aria-label={`${label}: earlier`} onClick={() => move(true)}><Sign name="up" /></button>
        <button className="icon" disabled={isReadOnly || number === count - 1} title="Later (Alt ↓)" aria-label={`${label}: later`} onClick={() => move(false)}><Sign name="down" /></button>
        <button className="icon" disabled={isReadOnly} title="Delete" aria-label={`${label}: delete`} onClick={() => void change({ edit: 'remove-transition', transition: number })}><Sign name="delete" /></button>
      </span>
      <span className="machine-row-guard">
        <span className="machine-mark-badge" title={meaningOf(transition)} aria-label={meaningOf(transition)}>{markOf(transition)}</span>
        <GuardField label={`Guard of transition ${number + 1}`} value={condition} at={transition.guardBegin} isReadOnly={isReadOnly} hasFocus={isEditing}
          onCommit={(text) => void change({ edit: 'set-guard', transition: number, text: guardToSend(transition, text) }).then(setReason)} onCancel={() => setReason('')} />
      </span>
      {transition.actions && <code className="machine-actions" title="What the transition does; written in the text">{transition.actions}</code>}
      {reason && <p className="machine-reason" role="alert">{reason}</p>}
    </li>
  );
}

function DraftRow({ draft, machine, change, onChange, onEnd }: {
  draft: Draft; machine: MachineAnswer; change: Change; onChange: (draft: Draft) => void; onEnd: () => void;
}) {
  const [reason, setReason] = useState('');
  const at = machine.transitions.at(-1)?.guardBegin ?? machine.states[0]?.from ?? 0;
  const add = async (text: string) => {
    if (!text) return;
    const failed = await change({ edit: 'add-transition', state: draft.from, other: draft.to, text });
    setReason(failed);
    if (!failed) onEnd();
  };
  return (
    <li className="machine-row is-draft">
      <span className="machine-row-number">{machine.transitions.length + 1}</span>
      <Ends states={machine.states} from={draft.from} to={draft.to} label="New transition" isReadOnly={false} onChange={(from, to) => onChange({ from, to })} />
      <span className="machine-row-tools">
        <button className="icon" title="Do not add it" aria-label="Do not add the transition" onPointerDown={(event) => event.preventDefault()} onClick={onEnd}><Sign name="delete" /></button>
      </span>
      <span className="machine-row-guard">
        <span className="machine-mark-badge is-open" aria-hidden="true">?</span>
        <GuardField key={`${draft.from} ${draft.to}`} label="Guard of the new transition" value="" at={at} hasFocus onCommit={(text) => void add(text)} onCancel={onEnd} />
      </span>
      <p className="machine-reason is-help">{reason || 'When shall it be taken? Enter adds it.'}</p>
    </li>
  );
}

type Props = {
  machine: MachineAnswer; chosen: number; editing: number; draft: Draft | null; isReadOnly: boolean;
  change: Change; onChoose: (transition: number) => void; onDraft: (draft: Draft | null) => void;
};

export function TransitionList({ machine, chosen, editing, draft, isReadOnly, change, onChoose, onDraft }: Props) {
  return (
    <ol className="machine-transitions" aria-label="Transitions">
      {machine.transitions.map((transition, number) => (
        <Row key={number} transition={transition} number={number} count={machine.transitions.length} machine={machine} isChosen={chosen === number} isEditing={editing === number}
          isReadOnly={isReadOnly} change={change} onChoose={() => onChoose(number)} />
      ))}
      {draft && <DraftRow draft={draft} machine={machine} change={change} onChange={onDraft} onEnd={() => onDraft(null)} />}
      {!draft && machine.transitions.length === 0 && <li className="machine-note">No transitions yet. Draw one from state to state, or add one below.</li>}
    </ol>
  );
}
