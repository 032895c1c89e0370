// SPDX-License-Identifier: BSD-3-Clause
// @vitest-environment happy-dom
import { EditorView } from '@codemirror/view';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { GuardField } from './GuardField';

afterEach(cleanup);

function shown(value: string, onCommit: (text: string) => void) {
  const { rerender } = render(<GuardField label="Guard" value={value} at={0} onCommit={onCommit} />);
  const content = screen.getByLabelText('Guard');
  const view = EditorView.findFromDOM(content);
  if (!view) throw new Error('there is no editor');
  const type = (text: string) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  const press = (key: string) => content.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  const leave = () => content.dispatchEvent(new FocusEvent('blur'));
  return { view, type, press, leave, rerender: (next: string) => rerender(<GuardField label="Guard" value={next} at={0} onCommit={onCommit} />) };
}

describe('the field of a guard', () => {
  it('hands over what was typed once, by Enter and by leaving it', () => {
    const onCommit = vi.fn();
    const field = shown('gap <= 0', onCommit);
    field.leave();
    expect(onCommit).not.toHaveBeenCalled();
    field.type(' gap <= 1 ');
    field.press('Enter');
    field.leave();
    expect(onCommit.mock.calls).toEqual([['gap <= 1']]);
    field.type('gap <= 2');
    field.leave();
    expect(onCommit.mock.calls).toEqual([['gap <= 1'], ['gap <= 2']]);
  });

  it('takes back what was typed by Escape', () => {
    const field = shown('gap <= 0', () => undefined);
    field.type('nonsense');
    field.press('Escape');
    expect(field.view.state.doc.toString()).toBe('gap <= 0');
  });

  it('is one line, and follows the text', () => {
    const field = shown('gap <= 0', () => undefined);
    field.type('two\nlines');
    expect(field.view.state.doc.toString()).toBe('gap <= 0');
    field.rerender('gap <= 3');
    expect(field.view.state.doc.toString()).toBe('gap <= 3');
  });
});
