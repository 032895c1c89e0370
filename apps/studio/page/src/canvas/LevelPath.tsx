// SPDX-License-Identifier: BSD-3-Clause
// Where in the model one is, and the way back.
import { useStudio } from '../parts';
import { wayTo, whyNotEditable } from './level';

export function LevelPath() {
  const level = useStudio((state) => state.level);
  const model = useStudio((state) => state.look?.name ?? '');
  const diagram = useStudio((state) => state.look?.diagram ?? null);
  const setLevel = useStudio((state) => state.setLevel);
  const openDocument = useStudio((state) => state.openDocument);
  const isReadOnly = useStudio((state) => state.isReadOnly);
  if (level === '') return null;
  const steps = wayTo(level, model);
  const reason = whyNotEditable(diagram, isReadOnly);
  const file = diagram?.file ?? '';
  return (
    <nav className="level-path" aria-label="Level">
      {steps.map((step, at) => (
        <span key={step.level}>
          {at > 0 && <span className="level-arrow">›</span>}
          <button aria-current={at === steps.length - 1 ? 'page' : undefined} onClick={() => setLevel(step.level)}>
            {step.title}
          </button>
        </span>
      ))}
      {diagram && diagram.where !== '' && diagram.where !== level && <span className="level-where">is a {diagram.where}</span>}
      {reason !== '' && !isReadOnly && (
        <span className="level-where" title={reason}>
          read only here
          {file !== '' && !file.startsWith('library:') && <button onClick={() => void openDocument(file)}>Open {file}</button>}
        </span>
      )}
    </nav>
  );
}
