// SPDX-License-Identifier: BSD-3-Clause
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useStudio } from '../parts';
import type { FolderAnswer, FolderEntry } from '../protocol';
import { spaced } from './Card';
import { Gallery } from './Gallery';
import { matching } from './find';
import { filePath, modelName, templates } from './templates';
import { hbgParser } from '../text/language';

const entry = (path: string, name: string, description = ''): FolderEntry => ({ path, name, description, size: 1, modified: 0 });
const models = [entry('cradle/newtons-cradle.hbg', 'NewtonsCradle', 'A body flies into another one.'), entry('tank.hbg', 'Tank', 'Überlauf with a valve.'), entry('wrong.hbg', '')];
const folder = (change: Partial<FolderAnswer> = {}): FolderAnswer => ({ folder: 'mine', models, isGallery: false, opened: '', ...change });

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('IntersectionObserver', class { observe = () => undefined; disconnect = () => undefined; });
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) { this.open = true; };
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('the start page', () => {
  it('shows each model by its name, or its file, with its description', () => {
    useStudio.setState({ folder: folder() });
    render(<Gallery />);
    expect(screen.getByText('Newtons Cradle')).toBeTruthy();
    expect(screen.getByText('A body flies into another one.')).toBeTruthy();
    expect(screen.getByText('wrong')).toBeTruthy();
  });
  it('opens the model that is clicked', () => {
    const openDocument = vi.fn(() => Promise.resolve());
    useStudio.setState({ folder: folder(), openDocument });
    render(<Gallery />);
    fireEvent.click(screen.getByText('Tank'));
    expect(openDocument).toHaveBeenCalledWith('tank.hbg');
  });
  it('finds by words of name, file and description', () => {
    useStudio.setState({ folder: folder() });
    render(<Gallery />);
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'valve' } });
    expect(screen.queryByText('Newtons Cradle')).toBeNull();
    expect(screen.getByText('1 of 3 models')).toBeTruthy();
  });
  it('offers a first model where there is none, and none in the gallery', () => {
    useStudio.setState({ folder: folder({ models: [] }) });
    const { rerender } = render(<Gallery />);
    expect(screen.getByText('Draw the first one')).toBeTruthy();
    useStudio.setState({ folder: folder({ isGallery: true }) });
    rerender(<Gallery />);
    expect(screen.queryByText('New model')).toBeNull();
    expect(screen.getByText(/read only/)).toBeTruthy();
  });
  it('makes a new model of its name and a template', () => {
    const newDocument = vi.fn(() => Promise.resolve());
    useStudio.setState({ folder: folder(), newDocument });
    render(<Gallery />);
    fireEvent.click(screen.getByText('New model'));
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: "Galileo's pendulum" } });
    expect(screen.getByText('model GalileosPendulum, in the file galileos-pendulum.hbg')).toBeTruthy();
    fireEvent.click(screen.getByText('Create'));
    expect(newDocument).toHaveBeenCalledWith('galileos-pendulum.hbg', templates[0]!.text('GalileosPendulum'));
  });
  it('refuses a name that is taken', () => {
    useStudio.setState({ folder: folder() });
    render(<Gallery />);
    fireEvent.click(screen.getByText('New model'));
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Tank' } });
    expect(screen.getByText(/take another name/)).toBeTruthy();
    expect(screen.getByText<HTMLButtonElement>('Create').disabled).toBe(true);
  });
});

describe('names', () => {
  it('of models and files come from what is typed', () => {
    expect([modelName('2 tanks'), modelName('été à la mer'), modelName('!!')]).toEqual(['Model2Tanks', 'ÉtéÀLaMer', '']);
    expect([filePath('My Folder/Two tanks.hbg'), filePath('../../x'), filePath('  '), filePath('/etc/passwd'), filePath('.hidden')]).toEqual(['my-folder/two-tanks.hbg', 'x.hbg', '', 'etc/passwd.hbg', 'hidden.hbg']);
    expect(spaced('BulletWood')).toBe('Bullet Wood');
  });
  it('are found without accents and case', () => expect(matching(models, 'uberlauf TANK')).toEqual([models[1]]));
  it.each(templates.map((template) => [template.name, template] as const))('the template %s is a text of the language', (_, template) => {
    const text = template.text('Some');
    hbgParser.parse(text).iterate({ enter: (node) => expect(node.type.isError).toBe(false) });
    expect(text).toContain('model Some {');
  });
});
