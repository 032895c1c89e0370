// SPDX-License-Identifier: BSD-3-Clause
// node embed.js FOLDER FILE.c: compresses every file of the built page beside itself, and writes the C text that takes them into the program
// (apps/studio/page_files.h). The same page gives the same bytes.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

const [folder, output] = process.argv.slice(2);
const paths = filesBelow(folder, '').filter((path) => !path.endsWith('.gz')).sort();
writeFileSync(output, cText(paths.map(compress)));

function filesBelow(root, below) {
  return readdirSync(join(root, below)).flatMap((name) => {
    const path = below ? `${below}/${name}` : name;
    return statSync(join(root, path)).isDirectory() ? filesBelow(root, path) : [path];
  });
}

function compress(path) {
  const type = types[extname(path)];
  if (!type) throw new Error(`${path}: what type has such a file? Name it in scripts/embed.js.`);
  const bytes = readFileSync(join(folder, path));
  const packed = gzipSync(bytes, { level: 9 });
  packed[9] = 255; // which system has packed it says nothing
  const file = resolve(folder, `${path}.gz`);
  writeFileSync(file, packed);
  return { path, type, file, size: packed.length, etag: createHash('sha256').update(bytes).digest('hex').slice(0, 16) };
}

function cText(files) {
  const quoted = (text) => `"${text.replace(/[\\"]/g, '\\$&')}"`;
  const takeIn = files.map(({ file }, index) => `TAKE_IN(studio_page_${index}, ${quoted(file)})`);
  const rows = files.map(
    ({ path, type, etag, size }, index) => `  {${quoted(path)}, ${quoted(type)}, ${quoted(`"${etag}"`)}, studio_page_${index}, ${size}},`,
  );
  return `/* Made by apps/studio/page/scripts/embed.js. */
#include "page_files.h"

#define TAKE_IN(name, file)                                                                                       \\
  __asm__(".pushsection .rodata\\n.balign 16\\n.globl " #name "\\n.hidden " #name "\\n" #name ":\\n.incbin \\"" file "\\"\\n.popsection"); \\
  extern const unsigned char name[];

${takeIn.join('\n')}

const StudioPageFile studio_page_files[] = {
${rows.join('\n')}
  {NULL, NULL, NULL, NULL, 0}};
`;
}
