// SPDX-License-Identifier: BSD-3-Clause
// The states and transitions of a machine type of the body `where`. The inspector shows it for what is switched by a machine; it can be enlarged.
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useStudio } from '../parts';
import { Dialog } from '../shell/Dialog';
import type { State } from './layout';
import { freeName } from './names';
import { Sign } from './Sign';
import { StateDiagram } from './StateDiagram';
import type { Choice } from './StateDiagram';
import { StateList } from './StateList';
import { TransitionList } from './TransitionList';
import type { Draft } from './TransitionList';
import { useCurrentState, useMachine } from './useMachine';
import type { MachineOperation } from './useMachine';
import './machine.css';

type Props = { where: string; machine: string };
const narrow = 560;

function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}

export function MachineEditor({ where, machine }: Props) {
  const [isLarge, setLarge] = useState(false);
  return (
    <>
      <Machine where={where} machine={machine} onEnlarge={() => setLarge(true)} />
      {isLarge && (
        <Dialog title={`Machine ${machine}`} isWide onClose={() => setLarge(false)}>
          <div className="machine-large"><Machine where={where} machine={machine} /></div>
        </Dialog>
      )}
    </>
  );
}

function Machine({ where, machine: name, onEnlarge }: Props & { onEnlarge?: () => void }) {
  const { machine, failure, change } = useMachine(where, name);
  const current = useCurrentState(name);
  const isReadOnly = useStudio((state) => state.isReadOnly);
  const { element, width } = useWidth();
  const [choice, setChoice] = useState<Choice>(null);
  const [naming, setNaming] = useState('');
  const [editing, setEditing] = useState(-1);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [reason, setReason] = useState('');
  const isNarrow = width < narrow;

  const attempt = async (operation: MachineOperation): Promise<string> => {
    const answer = await change(operation);
    setReason(operation.edit === 'set-guard' || operation.edit === 'add-transition' ? '' : answer);
    return answer;
  };
  const addState = async (isOn: boolean) => {
    if (!machine) return;
    const state = freeName(isOn ? 'joined' : 'apart', machine.states);
    if (!(await attempt({ edit: 'add-state', state, isOn }))) {
      setChoice({ state });
      setNaming(state);
    }
  };
  const onKey = (event: KeyboardEvent, state: State) => {
    if (isReadOnly || event.ctrlKey || event.metaKey || event.altKey) return;
    const acts: Record<string, () => void> = {
      Delete: () => void attempt({ edit: 'remove-state', state: state.name }),
      Backspace: () => void attempt({ edit: 'remove-state', state: state.name }),
      ' ': () => void attempt({ edit: 'set-on', state: state.name, isOn: !state.isOn }),
      i: () => void attempt({ edit: 'set-initial', state: state.name }),
      F2: () => setNaming(state.name),
      Enter: () => setNaming(state.name),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation(); // Delete means the state here, not the symbol that is selected
    act();
  };
  const onArrowKey = (event: KeyboardEvent, transition: number) => {
    if (isReadOnly) return;
    if (event.key === 'Enter' || event.key === 'F2') setEditing(transition);
    else if (event.key === 'Delete' || event.key === 'Backspace') void attempt({ edit: 'remove-transition', transition });
    else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) void attempt({ edit: 'move-transition', transition, isOn: event.key === 'ArrowUp' });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const beginTransition = (from: string, to: string) => {
    setEditing(-1);
    setDraft({ from, to });
  };
  const addTransition = () => {
    const first = machine?.states.find((state) => choice && 'state' in choice && choice.state === state.name) ?? machine?.states[0];
    const second = machine?.states.find((state) => state.name !== first?.name && !state.hasInner) ?? first;
    if (first && second) beginTransition(first.name, second.name);
  };

  return (
    <div ref={element} className={isNarrow ? 'machine is-narrow' : 'machine'}>
      {failure && <p className="machine-reason" role="alert">{failure}</p>}
      {machine && (
        <>
          <header className="machine-head">
            <span className="machine-title">
              <strong>{machine.name}</strong>
              {machine.parameters && <code>({machine.parameters})</code>}
            </span>
            {onEnlarge && (
              <button className="icon" title="Enlarge" aria-label="Enlarge the machine" onClick={onEnlarge}>
                <Sign name="enlarge" />
              </button>
            )}
          </header>
          <div className="machine-picture">
            <StateDiagram machine={machine} current={current} choice={choice} isNarrow={isNarrow} isReadOnly={isReadOnly} onChoose={setChoice} onConnect={beginTransition} onKey={onKey}
              onArrowKey={onArrowKey} />
            <p className="machine-keys">
              {isNarrow ? 'Drag from state to state for a transition.' : <>Drag from state to state, or <kbd>T</kbd>, for a transition · <kbd>Space</kbd> on/off · <kbd>I</kbd> initial · <kbd>F2</kbd> rename · <kbd>Del</kbd></>}
            </p>
          </div>
          {reason && <p className="machine-reason" role="alert">{reason}</p>}
          <div className="machine-lists">
            <section>
              <h3>States</h3>
              <StateList states={machine.states} current={current} chosen={choice && 'state' in choice ? choice.state : ''} isReadOnly={isReadOnly} naming={naming} change={attempt}
                onChoose={(state) => setChoice({ state })} onNamed={() => setNaming('')} />
              {!isReadOnly && (
                <div className="machine-adds">
                  <button className="outlined" onClick={() => void addState(true)}>+ ON state</button>
                  <button className="outlined" onClick={() => void addState(false)}>+ OFF state</button>
                </div>
              )}
            </section>
            <section>
              <h3>Transitions</h3>
              <TransitionList machine={machine} chosen={choice && 'transition' in choice ? choice.transition : -1} editing={editing} draft={draft} isReadOnly={isReadOnly} change={attempt}
                onChoose={(transition) => setChoice({ transition })} onDraft={setDraft} />
              {!isReadOnly && !draft && (
                <div className="machine-adds">
                  <button className="outlined" onClick={addTransition}>+ Transition</button>
                </div>
              )}
            </section>
          </div>
        </>
      )}
    </div>
  );
}
