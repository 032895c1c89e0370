// SPDX-License-Identifier: BSD-3-Clause
// Asks for the name of the submodel that is made of the selection.
import { useState } from 'react';
import { useStudio } from '../parts';
import { extract } from './actions';
import { namesOf } from './level';
import { freeName, whyNotName } from './names';
import { paper, setCanvas, useCanvas } from './state';

export function NameDialog() {
  const isOpen = useCanvas((state) => state.isNaming);
  return isOpen ? <Dialog /> : null;
}

function Dialog() {
  const count = useStudio((state) => state.selection.symbols.length);
  const [name, setName] = useState(() => freeName('Part', namesOf(useStudio.getState().look)));
  const [reason, setReason] = useState('');
  const close = (): void => {
    setCanvas({ isNaming: false });
    paper()?.element.focus();
  };
  const take = async (): Promise<void> => {
    const wrong = whyNotName(name.trim()) || (await extract(name.trim()));
    if (wrong) setReason(wrong);
    else close();
  };
  return (
    <form
      className="floating name-dialog" role="dialog" aria-label="Make a submodel"
      onSubmit={(event) => {
        event.preventDefault();
        void take();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') close();
      }}
      onPointerDown={(event) => event.stopPropagation()}
    >
      <h2>Make a submodel</h2>
      <p>{count === 1 ? 'One symbol moves' : `${count} symbols move`} into it; each bond that leads out becomes a port.</p>
      <label>
        Name of its type
        <input autoFocus value={name} spellCheck={false} onFocus={(event) => event.target.select()} onChange={(event) => { setName(event.target.value); setReason(''); }} />
      </label>
      {reason !== '' && <p className="dialog-reason">{reason}</p>}
      <div className="dialog-buttons">
        <button type="button" className="outlined" onClick={close}>Cancel</button>
        <button type="submit" className="primary">Make it</button>
      </div>
    </form>
  );
}
