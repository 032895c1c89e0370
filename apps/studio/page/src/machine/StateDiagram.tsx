// SPDX-License-Identifier: BSD-3-Clause
// The state diagram: states that are on with a full frame, those that are off with a dashed one; a dot leads to the initial state, a flag marks the one
// that is current at the cursor. A transition is drawn from state to state by dragging, or by the keys.
import { useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import type { MachineAnswer } from '../protocol';
import { borderOf, neighbourOf, planOf } from './layout';
import type { Arrow, Plan, Point, State, StateBox, Transition } from './layout';
import { conditionOf, markOf, meaningOf, printed, shortened } from './marks';

export type Choice = { state: string } | { transition: number } | null;
type Props = {
  machine: MachineAnswer;
  current: string;
  choice: Choice;
  isNarrow: boolean;
  isReadOnly: boolean;
  onChoose: (choice: Choice) => void;
  onConnect: (from: string, to: string) => void;
  onKey: (event: KeyboardEvent, state: State) => void;
  onArrowKey: (event: KeyboardEvent, transition: number) => void;
};

const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function Tip({ at, angle }: { at: Point; angle: number }) {
  return <path className="machine-tip" d="M0 0 L-10 -4.2 L-7.6 0 L-10 4.2 Z" transform={`translate(${at.x} ${at.y}) rotate(${(angle * 180) / Math.PI})`} />;
}

// What stands at an arrow: in a narrow pane its number and mark, else the condition, too. The lists have all of it.
const wordsOf = (machine: MachineAnswer, transition: Transition, isNarrow: boolean): string =>
  isNarrow ? '' : shortened(printed(conditionOf(transition)), machine.states.length > 2 ? 22 : 44);

function ArrowShape({ arrow, machine, isChosen, isNarrow, onChoose, onKey }: {
  arrow: Arrow; machine: MachineAnswer; isChosen: boolean; isNarrow: boolean; onChoose: () => void; onKey: (event: KeyboardEvent) => void;
}) {
  const transition = machine.transitions[arrow.number];
  if (!transition) return null;
  const condition = conditionOf(transition);
  const text = wordsOf(machine, transition, isNarrow);
  const mark = markOf(transition);
  return (
    <g className={isChosen ? 'machine-arrow is-chosen' : 'machine-arrow'} tabIndex={0} role="button"
      aria-label={`Transition ${arrow.number + 1}, ${transition.from} to ${transition.to}: ${condition}`} onClick={onChoose} onFocus={onChoose} onKeyDown={onKey}>
      <title>{`${transition.from} → ${transition.to}: ${condition}\n${meaningOf(transition)}`}</title>
      <path className="machine-arrow-reach" d={arrow.path} />
      <path className="machine-arrow-line" d={arrow.path} />
      <Tip at={arrow.tip} angle={arrow.angle} />
      <text className="machine-arrow-label" x={arrow.label.x} y={arrow.label.y} textAnchor="middle" dominantBaseline="middle">
        <tspan className="machine-number">{arrow.number + 1}</tspan>
        <tspan className="machine-mark" dx="4">{mark}</tspan>
        {text && <tspan dx="5">{text}</tspan>}
      </text>
    </g>
  );
}

function StateShape({ box, state, isCurrent, isChosen, isTarget, isReadOnly, onFocus, onKey, onDown }: {
  box: StateBox; state: State | undefined; isCurrent: boolean; isChosen: boolean; isTarget: boolean; isReadOnly: boolean;
  onFocus: () => void; onKey: (event: KeyboardEvent) => void; onDown: (event: PointerEvent) => void;
}) {
  const left = box.x - box.width / 2;
  const top = box.y - box.height / 2;
  const classes = ['machine-state', state ? (state.isOn ? 'is-on' : 'is-off') : 'is-region', box.isGroup && 'is-group', isCurrent && 'is-current', isChosen && 'is-chosen', isTarget && 'is-target'];
  const words = state ? `${box.name}, ${state.isOn ? 'on' : 'off'}${state.isInitial ? ', initial' : ''}${isCurrent ? ', current at the cursor' : ''}` : `region ${box.name}`;
  const nameY = box.isGroup ? top + 16 : box.y - 4;
  return (
    <g className={classes.filter(Boolean).join(' ')} tabIndex={state ? 0 : undefined} role={state ? 'button' : undefined} aria-label={words} data-state={state ? box.name : undefined}
      onFocus={onFocus} onClick={onFocus} onKeyDown={onKey} onPointerDown={isReadOnly || !state ? undefined : onDown}>
      <title>{words}</title>
      {isCurrent && <rect className="machine-current-frame" x={left - 5} y={top - 5} width={box.width + 10} height={box.height + 10} rx={16} />}
      <rect className="machine-frame" x={left} y={top} width={box.width} height={box.height} rx={12} />
      <text className="machine-name" x={box.isGroup ? left + 14 : box.x} y={nameY} textAnchor={box.isGroup ? 'start' : 'middle'} dominantBaseline="middle">{box.label}</text>
      {state && <text className="machine-type" x={box.isGroup ? left + box.width - 14 : box.x} y={box.isGroup ? nameY : box.y + 12} textAnchor={box.isGroup ? 'end' : 'middle'} dominantBaseline="middle">{state.isOn ? 'ON' : 'OFF'}</text>}
      {state?.isInitial && (
        <g className="machine-initial">
          <circle cx={left - 14} cy={top - 9} r={4.5} />
          <path d={`M${left - 11} ${top - 6} L${left + 1} ${top + 3}`} />
          <path className="machine-tip" d="M0 0 L-8 -3.4 L-6 0 L-8 3.4 Z" transform={`translate(${left + 3} ${top + 5}) rotate(40)`} />
        </g>
      )}
      {isCurrent && <path className="machine-flag" d={`M${box.x + box.width / 2 - 2} ${top - 4} l-9 -7 l18 0 z`} />}
    </g>
  );
}

// A line from the state where the pointer went down to where it is.
type Drag = { from: string; to: Point; target: string };

function pointIn(svg: SVGSVGElement, event: PointerEvent): Point {
  const matrix = svg.getScreenCTM();
  if (!matrix) return { x: 0, y: 0 };
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  return { x: point.x, y: point.y };
}

// The innermost state that holds the point.
const stateAt = (plan: Plan, states: State[], point: Point): string =>
  plan.states.filter((box) => states.some((state) => state.name === box.name) && Math.abs(point.x - box.x) <= box.width / 2 && Math.abs(point.y - box.y) <= box.height / 2)
    .sort((a, b) => a.width - b.width)[0]?.name ?? '';

export function StateDiagram({ machine, current, choice, isNarrow, isReadOnly, onChoose, onConnect, onKey, onArrowKey }: Props) {
  const plan = useMemo(
    () => planOf(machine.states, machine.transitions, machine.transitions.map((transition, index) => `${index + 1} ${markOf(transition)} ${wordsOf(machine, transition, isNarrow)}`), isNarrow),
    [machine, isNarrow],
  );
  const svg = useRef<SVGSVGElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [began, setBegan] = useState<string | null>(null); // a transition begun by the key T
  const chosenState = choice && 'state' in choice ? choice.state : '';
  const boxOf = (name: string) => plan.states.find((box) => box.name === name);

  const focusState = (name: string) => svg.current?.querySelector<SVGGElement>(`[data-state="${CSS.escape(name)}"]`)?.focus();
  const onStateKey = (event: KeyboardEvent, state: State) => {
    const step = steps[event.key];
    if (step && !event.altKey) {
      event.preventDefault();
      focusState(neighbourOf(plan, state.name, step[0], step[1]));
    } else if (!isReadOnly && event.key.toLowerCase() === 't' && began === null) {
      event.preventDefault();
      setBegan(state.name);
    } else if (began !== null && event.key === 'Enter') {
      event.preventDefault();
      setBegan(null);
      onConnect(began, state.name);
    } else if (began !== null && event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      setBegan(null);
    } else {
      onKey(event, state);
    }
  };
  const onMove = (event: PointerEvent) => {
    if (!drag || !svg.current) return;
    const to = pointIn(svg.current, event);
    setDrag({ ...drag, to, target: stateAt(plan, machine.states, to) });
  };
  const onUp = () => {
    const from = drag && boxOf(drag.from);
    const hasMoved = from && Math.hypot(drag.to.x - from.x, drag.to.y - from.y) > 12;
    if (drag?.target && hasMoved && drag.target !== drag.from) onConnect(drag.from, drag.target);
    setDrag(null);
  };
  const line = drag ? boxOf(drag.from) : began !== null && began !== chosenState ? boxOf(began) : undefined;
  const lineTo = drag ? drag.to : boxOf(chosenState);

  return (
    <svg ref={svg} className="machine-diagram" role="group" aria-label={`State diagram of ${machine.name}`} viewBox={`${plan.left} ${plan.top} ${plan.width} ${plan.height}`}
      style={{ maxHeight: isNarrow ? 340 : 420, maxWidth: plan.width * 1.1 }} onPointerMove={onMove} onPointerUp={onUp} onPointerLeave={() => setDrag(null)}
      onClick={(event) => event.target === svg.current && onChoose(null)}>
      {plan.states.map((box) => {
        const state = machine.states.find((candidate) => candidate.name === box.name);
        return (
          <StateShape key={box.name} box={box} state={state} isReadOnly={isReadOnly} isCurrent={state !== undefined && isIn(current, box.name)} isChosen={box.name === chosenState}
            isTarget={drag?.target === box.name || (began !== null && box.name === chosenState)} onFocus={() => state && onChoose({ state: box.name })}
            onKey={(event) => state && onStateKey(event, state)}
            onDown={(event) => {
              event.stopPropagation();
              if (svg.current && event.button === 0) setDrag({ from: box.name, to: { x: box.x, y: box.y }, target: '' });
            }} />
        );
      })}
      {plan.arrows.map((arrow) => (
        <ArrowShape key={arrow.number} arrow={arrow} machine={machine} isNarrow={isNarrow} isChosen={choice !== null && 'transition' in choice && choice.transition === arrow.number}
          onChoose={() => onChoose({ transition: arrow.number })} onKey={(event) => onArrowKey(event, arrow.number)} />
      ))}
      {line && lineTo && <DragLine from={line} to={lineTo} />}
      {began !== null && <text className="machine-hint" x={plan.left + plan.width / 2} y={plan.top + plan.height - 6} textAnchor="middle">From {began} to …: choose a state, Enter</text>}
    </svg>
  );
}

function DragLine({ from, to }: { from: StateBox; to: Point }) {
  const start = borderOf(from, to);
  return <path className="machine-drag" d={`M${start.x} ${start.y} L${to.x} ${to.y}`} />;
}

// "charging.slow" is in charging, too.
export const isIn = (current: string, name: string): boolean => current === name || current.startsWith(`${name}.`);
