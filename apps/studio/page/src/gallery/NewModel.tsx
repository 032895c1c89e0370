// SPDX-License-Identifier: BSD-3-Clause
// Asks what a new model is called and what it begins with.
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useStudio } from '../parts';
import { Dialog } from '../shell/Dialog';
import { filePath, modelName, templates } from './templates';

export function NewModel({ onClose, taken }: { onClose: () => void; taken: string[] }) {
  const newDocument = useStudio((state) => state.newDocument);
  const [title, setTitle] = useState('');
  const [chosen, setChosen] = useState(0);
  const path = filePath(title);
  const name = modelName(title.replace(/\.hbg$/, '').replace(/^.*\//, ''));
  const reason = reasonAgainst(title, path, name, taken);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason || !title.trim()) return;
    void newDocument(path, templates[chosen]!.text(name)).then(() => useStudio.getState().path === path && onClose());
  };
  return (
    <Dialog title="New model" onClose={onClose}>
      <form onSubmit={submit}>
        <label className="field">
          Name
          <input autoFocus value={title} placeholder="Newton's cradle" onChange={(event) => setTitle(event.target.value)} />
        </label>
        <p className={reason ? 'reason' : 'new-file'} role="status">
          {reason || (path ? `model ${name}, in the file ${path}` : 'The file gets the same name.')}
        </p>
        <fieldset className="templates">
          <legend>Begin with</legend>
          {templates.map((template, index) => (
            <label key={template.name} className={index === chosen ? 'template is-chosen' : 'template'}>
              <input type="radio" name="template" checked={index === chosen} onChange={() => setChosen(index)} />
              <strong>{template.name}</strong>
              <span>{template.description}</span>
            </label>
          ))}
        </fieldset>
        <footer className="dialog-actions">
          <button type="button" className="outlined" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={!title.trim() || reason !== ''}>
            Create
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

export function reasonAgainst(title: string, path: string, name: string, taken: readonly string[]): string {
  if (!title.trim()) return '';
  if (!path || !name) return 'The name needs a letter or a figure.';
  if (taken.includes(path)) return `There is a file ${path} already; take another name.`;
  return '';
}
