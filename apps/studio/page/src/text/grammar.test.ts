// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hbgParser } from './language';

const project = resolve(process.cwd(), '../../..');
const filesBelow = (folder: string): string[] =>
  readdirSync(join(project, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`) : entry.name.endsWith('.hbg') ? [`${folder}/${entry.name}`] : [],
  );
const read = (path: string) => readFileSync(join(project, path), 'utf8');

function errorsOf(text: string): string[] {
  const errors: string[] = [];
  hbgParser.parse(text).iterate({ enter: (node) => { if (node.type.isError) errors.push(text.slice(Math.max(0, node.from - 20), node.to + 20)); } });
  return errors;
}
function wordsOf(text: string): string[] {
  const found: string[] = [];
  hbgParser.parse(text).iterate({ enter: (node) => { if (!node.node.firstChild && node.from < node.to) found.push(`${node.name}:${text.slice(node.from, node.to)}`); } });
  return found;
}

describe('the grammar', () => {
  const models = ['models', 'library', 'bench/models', 'tests/models'].flatMap(filesBelow);
  it('finds the models', () => expect(models.length).toBeGreaterThan(30));
  it.each(models)('reads %s without an error', (path) => expect(errorsOf(read(path))).toEqual([]));

  const fences = [...read('docs/language.md').matchAll(/^```hbg *\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? '');
  it('finds the fences of the reference', () => expect(fences.length).toBeGreaterThan(30));
  it.each(fences.map((fence, index) => [index + 1, fence] as const))('reads fence %d of the reference without an error', (_, fence) => expect(errorsOf(fence)).toEqual([]));

  it('tells words of the language from names by where they stand', () => {
    expect(wordsOf('  I start(2)  start f = start')).toEqual(['Kind:I', 'Name:start', '(:(', 'Number:2', '):)', 'PartWord:start', 'Name:f', 'Operator:=', 'Name:start']);
    expect(wordsOf('1 a, b')).toEqual(['Kind:1', 'Name:a', 'Punctuation:,', 'Name:b']);
    expect(wordsOf('param = 1')[0]).toBe('Name:param');
    expect(wordsOf('param x = 1')[0]).toBe('DeclarationWord:param');
    expect(wordsOf('drawing { a at -40, 120 }')).toContain('PartWord:at');
    expect(wordsOf('stop -> move')[0]).toBe('Name:stop');
  });
  it('tells units from indices and lists', () => {
    expect(wordsOf('a = 20 [g]')).toContain('Unit:[g]');
    expect(wordsOf('a = (x) [m/s^2]')).toContain('Unit:[m/s^2]');
    expect(wordsOf('a = x[i]')).not.toContain('Unit:[i]');
    expect(wordsOf('a = x2[1]')).not.toContain('Unit:[1]');
    expect(wordsOf('a = 1e-3 [N*s/m]')).toContain('Unit:[N*s/m]');
  });
  it('survives any text', () => {
    for (const text of ['', '{', '}', '/*', '"', '[[[', 'a {} }', '\u0000', '😀 = 1', '0', '[', '1 [', '.'.repeat(100)]) expect(hbgParser.parse(text).length).toBe(text.length);
  });
});
