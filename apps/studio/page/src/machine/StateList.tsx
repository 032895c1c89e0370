// SPDX-License-Identifier: BSD-3-Clause
// The states in words: what each is called, whether its junctions are on in it, and in which the machine begins.
import { useEffect, useRef, useState } from 'react';
import type { State } from './layout';
import { isIn } from './StateDiagram';
import type { Change } from './useMachine';
import { Sign } from './Sign';

type Props = {
  states: State[];
  current: string;
  chosen: string;
  isReadOnly: boolean;
  naming: string; // the state whose name is to be edited now
  change: Change;
  onChoose: (state: string) => void;
  onNamed: () => void;
};

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
const outerOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('.'), 0));

function NameField({ state, isNaming, isReadOnly, onCommit, onEnd }: {
  state: State; isNaming: boolean; isReadOnly: boolean; onCommit: (name: string) => Promise<string>; onEnd: () => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(lastOf(state.name));
  useEffect(() => setText(lastOf(state.name)), [state.name]);
  useEffect(() => {
    if (!isNaming) return;
    field.current?.focus();
    field.current?.select();
  }, [isNaming]);
  const commit = async () => {
    onEnd();
    const name = text.trim();
    if (name === lastOf(state.name)) return;
    const reason = name ? await onCommit(name) : 'A state needs a name.';
    if (reason) setText(lastOf(state.name));
  };
  return (
    <input ref={field} className="machine-state-name" aria-label={`Name of state ${state.name}`} value={text} readOnly={isReadOnly} spellCheck={false}
      onChange={(event) => setText(event.target.value)} onBlur={() => void commit()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') field.current?.blur();
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        event.preventDefault();
        setText(lastOf(state.name));
      }} />
  );
}

export function StateList({ states, current, chosen, isReadOnly, naming, change, onChoose, onNamed }: Props) {
  return (
    <ul className="machine-states" aria-label="States">
      {states.map((state) => {
        const outer = outerOf(state.name);
        const rename = (text: string) => change({ edit: 'rename-state', state: state.name, text });
        return (
          <li key={state.name} className={chosen === state.name ? 'is-chosen' : ''} style={{ paddingLeft: 14 * (state.name.split('.').length - 1) }} onPointerDown={() => onChoose(state.name)}>
            <button className="icon machine-begin" role="radio" aria-checked={state.isInitial} disabled={isReadOnly} title={state.isInitial ? 'The machine begins here' : `Begin in ${state.name}`}
              aria-label={`Begin in ${state.name}`} onClick={() => void change({ edit: 'set-initial', state: state.name })}>
              <Sign name={state.isInitial ? 'begin' : 'begin-not'} />
            </button>
            <NameField state={state} isNaming={naming === state.name} isReadOnly={isReadOnly} onCommit={rename} onEnd={onNamed} />
            {outer && <span className="machine-outer" title={`inside of ${outer}`}>{lastOf(outer)}</span>}
            {isIn(current, state.name) && <span className="machine-now">now</span>}
            <button className={state.isOn ? 'machine-switch is-on' : 'machine-switch'} role="switch" aria-checked={state.isOn} disabled={isReadOnly}
              aria-label={`${state.name} is on`} title={state.isOn ? 'Junctions are on in this state; switch it off' : 'Junctions are off in this state; switch it on'}
              onClick={() => void change({ edit: 'set-on', state: state.name, isOn: !state.isOn })}>
              {state.isOn ? 'ON' : 'OFF'}
            </button>
            <button className="icon" disabled={isReadOnly} aria-label={`Delete state ${state.name}`} title="Delete, with its transitions" onClick={() => void change({ edit: 'remove-state', state: state.name })}>
              <Sign name="delete" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
