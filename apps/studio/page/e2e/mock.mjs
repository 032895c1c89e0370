// SPDX-License-Identifier: BSD-3-Clause
// A server that serves the built page and answers for one model, without the program: so that what the page alone does can be measured.
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };

// `look`: the answer to /api/look. Places that are edited are kept in it.
export async function serve(folder, look) {
  const answers = {
    folder: () => ({ folder: 'models', models: [{ path: 'model.hbg', name: look.name, description: '', size: 1, modified: 0 }], isGallery: false, opened: 'model.hbg' }),
    open: () => ({ path: 'model.hbg', text: `model ${look.name} {\n}\n`, version: 0, isDirty: false, isReadOnly: false, hash: '' }),
    look: (request) => ({ ...look, version: request.version }),
    update: (request) => ({ accepted: true, version: request.version + request.updates.length, updates: [] }),
    edit: (request) => {
      for (const operation of request.operations) {
        if (operation.op !== 'place') continue;
        const places = new Map(operation.places.map((place) => [place.name, place]));
        look = { ...look, diagram: { ...look.diagram, symbols: look.diagram.symbols.map((symbol) => ({ ...symbol, ...places.get(symbol.name), isPlaced: true })) } };
      }
      return { edits: [{ from: 0, to: 0, insert: ' ' }], reason: '', names: [] };
    },
    parts: () => {
      const none = { text: '', from: 0, to: 0, isPossible: true };
      return { parts: { kind: none, arguments: { ...none, text: 'm1' }, law: none, start: none, control: none, value: none, description: none }, reason: '' };
    },
    runs: () => ({ runs: [] }),
  };
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://x').pathname;
    if (path === '/api/events') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      return;
    }
    if (path.startsWith('/api/')) {
      let body = '';
      request.on('data', (part) => (body += part));
      request.on('end', () => {
        const answer = answers[path.slice(5)]?.(JSON.parse(body || '{}'));
        response.writeHead(answer ? 200 : 404, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(answer ?? { error: `No ${path} here.` }));
      });
      return;
    }
    const file = join(folder, normalize(path === '/' ? '/index.html' : path));
    if (!file.startsWith(folder) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}/#token=0123456789abcdef&open=model.hbg`, close: () => { server.closeAllConnections(); server.close(); } };
}
