// SPDX-License-Identifier: BSD-3-Clause
// Parameters that are tried by sliders: each change runs the model again at once, the text stays as it is. Stands below the inspector.
import { useState } from 'react';
import { useStudio } from '../parts';
import type { ParameterInfo } from '../protocol';
import { numberText, unitText } from './number';
import { lookEngine } from './engine';
import { endsWith, positionOf, readNumber, sliderSteps, usualEnds, valueAt, type Ends } from './runs/slider';
import './sliders.css';

export function Sliders() {
  const parameters = useStudio((state) => state.look?.parameters) ?? [];
  const hasChanges = useStudio((state) => Object.keys(state.settings).length > 0);
  if (parameters.length === 0) return null;
  return (
    <section className="sliders" aria-label="Parameters">
      <header>
        <h3>Try parameters</h3>
        {hasChanges && <button onClick={() => lookEngine().resetSettings(Object.keys(useStudio.getState().settings))} title="All parameters as the text has them">Reset all</button>}
      </header>
      {parameters.map((parameter) => <Row key={parameter.name} parameter={parameter} />)}
    </section>
  );
}

function Row({ parameter }: { parameter: ParameterInfo }) {
  const setting = useStudio((state) => state.settings[parameter.name]);
  const { setSetting } = useStudio.getState();
  const [ownEnds, setOwnEnds] = useState<Ends | null>(null);
  const [isOpen, setOpen] = useState(false);
  const value = setting === undefined ? parameter.value : Number(setting);
  const ends = endsWith(ownEnds ?? usualEnds(parameter.value), value);
  const change = (next: number) => setSetting({ name: parameter.name, value: String(next) });
  const label = parameter.description ? `${parameter.name}: ${parameter.description}` : parameter.name;
  return (
    <div className={`slider-row${setting === undefined ? '' : ' is-changed'}`}>
      <button className="name" title={`${label}. Click to set the ends of the slider.`} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>{parameter.name}</button>
      <input type="range" min={0} max={sliderSteps} step={1} aria-label={label} aria-valuetext={`${numberText(value)} ${parameter.unit}`} value={positionOf(value, ends)} onChange={(event) => change(valueAt(Number(event.target.value), ends))} />
      <NumberField label={`Value of ${parameter.name}`} value={value} onChange={change} />
      <span className="unit" title={parameter.unit}>{unitText(parameter.unit)}</span>
      <button className="icon reset" disabled={setting === undefined} title={`As the text has it: ${numberText(parameter.value)}`} aria-label={`Reset ${parameter.name}`} onClick={() => lookEngine().resetSettings([parameter.name])}>↺</button>
      {isOpen && (
        <div className="ends">
          <span>from</span>
          <NumberField label={`Least value of the slider ${parameter.name}`} value={ends.least} onChange={(least) => setOwnEnds({ ...ends, least: Math.min(least, ends.greatest) })} />
          <span>to</span>
          <NumberField label={`Greatest value of the slider ${parameter.name}`} value={ends.greatest} onChange={(greatest) => setOwnEnds({ ...ends, greatest: Math.max(greatest, ends.least) })} />
        </div>
      )}
      {isOpen && parameter.description !== '' && <p className="hint">{parameter.description}</p>}
    </div>
  );
}

// What is typed counts when the field is left or Enter is pressed; no number leaves the value as it was.
function NumberField({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const finish = () => {
    const number = typed === null ? null : readNumber(typed);
    setTyped(null);
    if (number !== null && number !== value) onChange(number);
  };
  const isWrong = typed !== null && typed.trim() !== '' && readNumber(typed) === null;
  return (
    <input className="number" inputMode="decimal" aria-label={label} aria-invalid={isWrong} title={isWrong ? 'A number is needed here, such as 0.5 or 1e-3.' : undefined}
      value={typed ?? String(Number(value.toPrecision(6)))} onChange={(event) => setTyped(event.target.value)} onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish();
        if (event.key === 'Escape') setTyped(null);
      }} />
  );
}
