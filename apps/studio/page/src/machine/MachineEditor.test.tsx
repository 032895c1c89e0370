// SPDX-License-Identifier: BSD-3-Clause
// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { impact } from '../fixtures/machines';
import { useStudio } from '../parts';
import type { EditOperation } from '../protocol';
import { MachineEditor } from './MachineEditor';

let sent: EditOperation[] = [];
let reason = '';
const machineOperation = (operation: object) => ({ op: 'machine', where: '', machine: 'Impact', ...operation });

beforeEach(() => {
  sent = [];
  reason = '';
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(impact))));
  useStudio.setState({
    path: 'a.hbg', version: 1, isReadOnly: false, cursor: null, look: null,
    edit: (operations) => {
      sent.push(...operations);
      return Promise.resolve({ reason, names: [] });
    },
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function shown() {
  render(<MachineEditor where="" machine="Impact" />);
  await screen.findByLabelText('State diagram of Impact');
}
const diagramState = (label: string) => screen.getByRole('button', { name: label });

describe('the editor of a machine', () => {
  it('shows states with their type, the initial one, and transitions with their guards', async () => {
    await shown();
    expect(diagramState('free, off, initial')).toBeTruthy();
    expect(diagramState('touching, on')).toBeTruthy();
    expect(screen.getByLabelText('Guard of transition 2').textContent).toContain('pre(approach) > 0');
    expect(diagramState('Transition 2, touching to free: pre(approach) > 0').textContent).toContain('−');
  });

  it('switches a state on and off, chooses the initial one, and deletes, by buttons', async () => {
    await shown();
    fireEvent.click(screen.getByRole('switch', { name: 'free is on' }));
    fireEvent.click(screen.getByRole('radio', { name: 'Begin in touching' }));
    fireEvent.click(screen.getByLabelText('Delete state touching'));
    fireEvent.click(screen.getByLabelText('Transition 1: later'));
    fireEvent.click(screen.getByLabelText('Transition 2: delete'));
    await waitFor(() => expect(sent).toHaveLength(5));
    expect(sent).toEqual([
      machineOperation({ edit: 'set-on', state: 'free', isOn: true }),
      machineOperation({ edit: 'set-initial', state: 'touching' }),
      machineOperation({ edit: 'remove-state', state: 'touching' }),
      machineOperation({ edit: 'move-transition', transition: 0, isOn: false }),
      machineOperation({ edit: 'remove-transition', transition: 1 }),
    ]);
  });

  it('does the same by keys on the diagram', async () => {
    await shown();
    const free = diagramState('free, off, initial');
    fireEvent.keyDown(free, { key: ' ' });
    fireEvent.keyDown(diagramState('touching, on'), { key: 'i' });
    fireEvent.keyDown(diagramState('touching, on'), { key: 'Delete' });
    fireEvent.keyDown(diagramState('Transition 1, free to touching: gap <= 0 and approach < 0'), { key: 'ArrowDown', altKey: true });
    await waitFor(() => expect(sent).toHaveLength(4));
    expect(sent.map((operation) => ('edit' in operation ? operation.edit : ''))).toEqual(['set-on', 'set-initial', 'remove-state', 'move-transition']);
  });

  it('begins a transition by T, ends it by Enter at another state, and asks for its guard', async () => {
    await shown();
    fireEvent.keyDown(diagramState('free, off, initial'), { key: 't' });
    fireEvent.keyDown(diagramState('touching, on'), { key: 'Enter' });
    expect(await screen.findByLabelText('Guard of the new transition')).toBeTruthy();
    expect((screen.getByLabelText('New transition: from') as HTMLSelectElement).value).toBe('free');
    expect((screen.getByLabelText('New transition: to') as HTMLSelectElement).value).toBe('touching');
    expect(sent).toEqual([]);
  });

  it('adds states under names that are free, and lets them be named', async () => {
    await shown();
    fireEvent.click(screen.getByText('+ ON state'));
    await waitFor(() => expect(sent).toEqual([machineOperation({ edit: 'add-state', state: 'joined', isOn: true })]));
  });

  it('renames by the field of the list, and takes the name back when it is refused', async () => {
    await shown();
    reason = 'there is a state `touching` already';
    const field = screen.getByLabelText('Name of state free') as HTMLInputElement;
    field.focus();
    fireEvent.change(field, { target: { value: 'touching' } });
    fireEvent.blur(field);
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('already'));
    expect(sent).toEqual([machineOperation({ edit: 'rename-state', state: 'free', text: 'touching' })]);
    expect(field.value).toBe('free');
  });

  it('changes nothing in what is read only', async () => {
    useStudio.setState({ isReadOnly: true });
    await shown();
    expect(screen.queryByText('+ ON state')).toBeNull();
    fireEvent.keyDown(diagramState('touching, on'), { key: 'Delete' });
    expect((screen.getByRole('switch', { name: 'free is on' }) as HTMLButtonElement).disabled).toBe(true);
    expect(sent).toEqual([]);
  });

  it('marks the state that is current at the cursor', async () => {
    const symbol = { name: 'contact', machine: 'contact', machineType: 'Impact' };
    useStudio.setState({
      look: { diagram: { symbols: [symbol] } } as never, selection: { symbols: ['contact'], bonds: [] },
      cursor: { run: '1', row: 0, time: 0, instant: -1, answer: { states: { contact: 'touching' } } as never },
    });
    await shown();
    expect(diagramState('touching, on, current at the cursor')).toBeTruthy();
    expect(screen.getByText('now')).toBeTruthy();
  });

  it('tells why there is nothing to show', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify({ ...impact, reason: 'this text has no machine type `Impact`' }))));
    render(<MachineEditor where="" machine="Impact" />);
    expect((await screen.findByRole('alert')).textContent).toContain('no machine type');
  });
});
