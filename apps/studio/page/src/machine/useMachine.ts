// SPDX-License-Identifier: BSD-3-Clause
// The machine type as the text has it now, and how to change it.
import { useCallback, useEffect, useState } from 'react';
import { call, isAbort, RequestFailed, sentenceOf } from '../api';
import { useStudio } from '../parts';
import type { EditOperation, MachineAnswer } from '../protocol';

export type MachineOperation = Omit<Extract<EditOperation, { op: 'machine' }>, 'op' | 'where' | 'machine'>;
export type Change = (operation: MachineOperation) => Promise<string>; // '' or why not

export function useMachine(where: string, name: string) {
  const path = useStudio((state) => state.path);
  const version = useStudio((state) => state.version);
  const edit = useStudio((state) => state.edit);
  const [machine, setMachine] = useState<MachineAnswer | null>(null);
  const [failure, setFailure] = useState('');

  useEffect(() => {
    if (path === null) return;
    const giveUp = new AbortController();
    call('machine', { path, version, where, name }, giveUp.signal).then(
      (answer) => {
        setFailure(answer.reason);
        setMachine(answer.reason ? null : answer);
      },
      (error: unknown) => {
        // 409: the text has changed meanwhile, and is asked for again
        if (isAbort(error) || (error instanceof RequestFailed && error.status === 409)) return;
        setFailure(sentenceOf(error));
      },
    );
    return () => giveUp.abort();
  }, [path, version, where, name]);

  const change: Change = useCallback(
    async (operation) => (await edit([{ op: 'machine', where, machine: name, ...operation }])).reason,
    [edit, where, name],
  );
  return { machine, failure, change };
}

// The state in which the machine is that switches the selected symbol: at the cursor, else '' .
export function useCurrentState(type: string): string {
  return useStudio((state) => {
    const states = state.cursor?.answer?.states;
    if (!states) return '';
    const symbols = state.look?.diagram?.symbols ?? [];
    const selected = symbols.find((symbol) => state.selection.symbols.includes(symbol.name) && symbol.machineType === type);
    const machine = (selected ?? symbols.find((symbol) => symbol.machineType === type))?.machine;
    return (machine && states[machine]) || '';
  });
}
