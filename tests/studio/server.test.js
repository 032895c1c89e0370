// SPDX-License-Identifier: BSD-3-Clause
// The studio's server over HTTP: who is let in, what is kept, and what is told.
'use strict';
const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { after, test } = require('node:test');

const program = process.env.HYBRSIM;
const model = path.join(process.env.SOURCE, 'models/bullet-wood/bullet-wood.hbg');
const text = fs.readFileSync(model, 'utf8');
const folders = [];
const servers = [];

function makeFolder() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hybrsim-studio-'));
  fs.copyFileSync(model, path.join(folder, 'a.hbg'));
  folders.push(folder);
  return folder;
}

// Starts the server as a user does, and waits for its address.
function start(...words) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ['studio', '--no-browser', ...words]);
    const server = { child, errors: '', said: '' };
    servers.push(server);
    server.ended = new Promise((tell) => child.on('close', (code, signal) => tell({ code, signal })));
    child.stderr.on('data', (bytes) => (server.errors += bytes));
    child.stdout.on('data', (bytes) => {
      server.said += bytes;
      const match = server.said.match(/HyBrSim Studio: http:\/\/127\.0\.0\.1:(\d+)\/#([0-9a-f]{32})\n/);
      if (match) resolve(Object.assign(server, { port: Number(match[1]), token: match[2] }));
    });
    server.ended.then(() => reject(new Error(`the server ended: ${server.errors}`)));
  });
}

async function stop(server, signal = 'SIGTERM') {
  server.child.kill(signal);
  const { code } = await server.ended;
  if (signal === 'SIGTERM') assert.deepEqual([code, server.errors], [0, '']); // the leak sanitizer would have something to say
}

after(async () => {
  for (const server of servers) if (server.child.exitCode === null && server.child.signalCode === null) await stop(server, 'SIGKILL');
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

// One request with every header as it is given.
function send(server, method, address, headers = {}, body = undefined) {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port: server.port, method, path: address, agent: false, headers: { Host: `127.0.0.1:${server.port}`, ...headers } }, (answer) => {
      const pieces = [];
      answer.on('data', (bytes) => pieces.push(bytes));
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(pieces).toString() }));
      answer.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function ask(server, name, request) {
  const body = typeof request === 'string' ? request : JSON.stringify(request);
  const answer = await send(server, 'POST', `/api/${name}`, { 'X-Studio-Token': server.token, 'Content-Length': Buffer.byteLength(body) }, body);
  let json;
  if (answer.headers['content-type'] === 'application/json') json = JSON.parse(answer.body);
  return { ...answer, json };
}

// Listens to server-sent events; `next(holds)` waits for one.
function listen(server) {
  const events = [];
  const waiting = [];
  const look = () => {
    for (const wish of [...waiting]) {
      const found = events.find(wish.holds);
      if (found) {
        waiting.splice(waiting.indexOf(wish), 1);
        wish.resolve(found);
      }
    }
  };
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port: server.port, path: `/api/events?token=${server.token}`, agent: false, headers: { Host: `127.0.0.1:${server.port}` } }, (answer) => {
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.headers['content-type'], 'text/event-stream');
      let rest = '';
      answer.on('data', (bytes) => {
        rest += bytes;
        const pieces = rest.split('\n\n');
        rest = pieces.pop();
        for (const piece of pieces) if (piece.startsWith('data: ')) events.push(JSON.parse(piece.slice(6)));
        look();
      });
      answer.on('error', () => undefined);
      resolve({
        events,
        next: (holds) =>
          new Promise((found, lost) => {
            const timer = setTimeout(() => lost(new Error(`no such event among ${JSON.stringify(events)}`)), 60000);
            waiting.push({ holds, resolve: (event) => (clearTimeout(timer), found(event)) });
            look();
          }),
        close: () => request.destroy(),
      });
    });
    request.on('error', reject);
  });
}

async function until(holds) {
  for (let i = 0; i < 2400; i++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail('it did not come to be');
}

test('foreign hosts, origins and tokens are refused', async () => {
  const server = await start(makeFolder());
  const body = '{}';
  const token = { 'X-Studio-Token': server.token };
  const status = async (headers, address = '/api/folder', method = 'POST') => (await send(server, method, address, headers, method === 'POST' ? body : undefined)).status;
  assert.equal(await status(token), 200);
  assert.equal(await status({ ...token, Host: `localhost:${server.port}` }), 200);
  assert.equal(await status({ ...token, Origin: `http://127.0.0.1:${server.port}` }), 200);
  assert.equal(await status({ ...token, Host: 'evil.example' }), 403);
  assert.equal(await status({ ...token, Host: `evil.example:${server.port}` }), 403);
  assert.equal(await status({ ...token, Host: '127.0.0.1:1' }), 403);
  assert.equal(await status({ ...token, Origin: 'http://evil.example' }), 403);
  assert.equal(await status({ ...token, Origin: 'null' }), 403);
  assert.equal(await status({}), 403);
  assert.equal(await status({ 'X-Studio-Token': '0'.repeat(32) }), 403);
  assert.equal(await status({ 'X-Studio-Token': `${server.token}0` }), 403);
  assert.equal(await status({}, `/api/folder?token=${server.token}`), 403);
  assert.equal(await status({}, '/api/events', 'GET'), 403);
  assert.equal(await status({ Host: 'evil.example' }, '/', 'GET'), 403);
  await stop(server);
});

test('it listens at the loopback address alone', async () => {
  const server = await start(makeFolder());
  const others = Object.values(os.networkInterfaces()).flat().filter((address) => address.family === 'IPv4' && !address.internal);
  for (const { address } of others)
    await assert.rejects(new Promise((resolve, reject) => net.connect(server.port, address, resolve).on('error', reject)));
  await stop(server);
});

test('what leads out of the folder is refused', async () => {
  const folder = makeFolder();
  fs.symlinkSync('/etc/hostname', path.join(folder, 'link.hbg'));
  const server = await start(folder);
  for (const outside of ['../a.hbg', '/etc/passwd', '..', '%2e%2e/a.hbg/../../x.hbg', 'a\\b.hbg', '.hybrsim-studio/x.hbg', 'link.hbg'])
    for (const name of ['open', 'thumbnail']) assert.equal((await ask(server, name, { path: outside })).status, 403, outside);
  assert.equal((await ask(server, 'open', '{"path": "a.hbg\\u0000.txt"}')).status, 400);
  assert.equal((await ask(server, 'new', { path: '../b.hbg', text: '' })).status, 403);
  for (const address of ['/../a.hbg', '/%2e%2e/a.hbg', '/a.hbg', '/..%2fa.hbg', '/assets/../../a.hbg']) assert.ok((await send(server, 'GET', address)).status >= 400);
  await stop(server);
});

test('requests have limits', async () => {
  const server = await start(makeFolder());
  const token = { 'X-Studio-Token': server.token };
  const large = await new Promise((resolve) => {
    // the answer comes before the body
    const socket = net.connect(server.port, '127.0.0.1', () => socket.write(`POST /api/open HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nX-Studio-Token: ${server.token}\r\nContent-Length: 99999999\r\n\r\n`));
    socket.once('data', (bytes) => resolve(String(bytes)));
  });
  assert.match(large, /^HTTP\/1.1 413 /);
  const chunks = new Promise((resolve) => {
    const request = http.request({ host: '127.0.0.1', port: server.port, method: 'POST', path: '/api/open', agent: false, headers: { ...token, 'Transfer-Encoding': 'chunked' } }, (answer) => resolve(answer.statusCode));
    request.on('error', () => resolve('cut'));
    const piece = Buffer.alloc(1 << 20, 32);
    const more = (count) => count && request.write(piece, () => more(count - 1));
    more(20);
  });
  assert.equal(await chunks, 'cut');
  for (const body of ['', '[', '[]', '3', '{"path": 3}', '{"path": "a.hbg", "path": "a.hbg"}', '{}', '{"path": "\\ud800"}', '['.repeat(100000)])
    assert.equal((await ask(server, 'open', body)).status, 400, body.slice(0, 50));
  assert.equal((await ask(server, 'fly', {})).status, 404);
  assert.equal((await send(server, 'GET', '/api/folder', token)).status, 405);
  assert.equal((await send(server, 'PUT', '/', token)).status, 405);
  assert.ok((await send(server, 'GET', `/${'a'.repeat(100000)}`)).status >= 400);
  assert.equal((await ask(server, 'folder', {})).status, 200);
  await stop(server);
});

test('answers guard the page', async () => {
  const server = await start(makeFolder());
  for (const answer of [await send(server, 'GET', '/'), await ask(server, 'folder', {}), await ask(server, 'open', {})]) {
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.match(answer.headers['content-security-policy'], /default-src 'none'.*frame-ancestors 'none'/);
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
  }
  const head = await send(server, 'HEAD', '/');
  assert.equal(head.body, '');
  await stop(server);
});

test('a folder of assets takes the place of the page, and is not left', async () => {
  const assets = makeFolder();
  fs.writeFileSync(path.join(assets, 'index.html'), '<p>here</p>');
  fs.mkdirSync(path.join(assets, 'inner'));
  fs.writeFileSync(path.join(assets, 'inner', 'a.js'), '1');
  fs.symlinkSync('/etc/hostname', path.join(assets, 'out.txt'));
  const server = await start(makeFolder(), '--assets', assets);
  assert.equal((await send(server, 'GET', '/')).body, '<p>here</p>');
  assert.equal((await send(server, 'GET', '/inner/a.js')).headers['content-type'], 'text/javascript; charset=utf-8');
  for (const address of ['/out.txt', '/inner', '/inner/', '/../index.html', '/%2e%2e/a.hbg', '//etc/hostname', '/.x']) assert.equal((await send(server, 'GET', address)).status, 404, address);
  await stop(server);
});

test('two pages on one model see what the other types', async () => {
  const server = await start(makeFolder());
  const [first, second] = [await listen(server), await listen(server)];
  const { json: document } = await ask(server, 'open', { path: 'a.hbg' });
  assert.equal(document.text, text);
  const length = text.length;
  const one = await ask(server, 'update', { path: 'a.hbg', version: 0, updates: [{ client: 'x', changes: [[0, '// x', ''], length] }] });
  assert.deepEqual(one.json, { accepted: true, version: 1, updates: [] });
  const late = await ask(server, 'update', { path: 'a.hbg', version: 0, updates: [{ client: 'y', changes: [length, [0, '// y']] }] });
  assert.equal(late.json.accepted, false);
  assert.deepEqual(late.json.updates, [{ client: 'x', changes: [[0, '// x', ''], length] }]);
  await ask(server, 'update', { path: 'a.hbg', version: 1, updates: [{ client: 'y', changes: [length + 5, [0, '// y']] }] });
  for (const page of [first, second]) {
    await page.next((event) => event.event === 'update' && event.version === 1 && event.updates[0].client === 'x');
    await page.next((event) => event.event === 'update' && event.version === 2 && event.updates[0].client === 'y');
  }
  assert.equal((await ask(server, 'open', { path: 'a.hbg' })).json.text, `// x\n${text}// y`);
  const saved = await ask(server, 'save', { path: 'a.hbg', version: 2 });
  assert.equal(saved.json.saved, true);
  await first.next((event) => event.event === 'saved' && event.hash === saved.json.hash);
  first.close();
  second.close();
  await stop(server);
});

test('what was typed survives a server that is killed', async () => {
  const folder = makeFolder();
  let server = await start(folder);
  await ask(server, 'update', { path: 'a.hbg', version: 0, updates: [{ client: 'x', changes: [text.length, [0, '// kept']] }] });
  await until(() => fs.existsSync(path.join(folder, '.hybrsim-studio/a.hbg.draft')));
  await stop(server, 'SIGKILL');
  assert.equal(fs.readFileSync(path.join(folder, 'a.hbg'), 'utf8'), text);
  server = await start(folder);
  const { json } = await ask(server, 'open', { path: 'a.hbg' });
  assert.deepEqual([json.text, json.version, json.isDirty], [`${text}// kept`, 1, true]);
  assert.equal((await ask(server, 'save', { path: 'a.hbg', version: 1 })).json.saved, true);
  assert.equal(fs.existsSync(path.join(folder, '.hybrsim-studio/a.hbg.draft')), false);
  assert.equal(fs.readFileSync(path.join(folder, 'a.hbg'), 'utf8'), `${text}// kept`);
  await stop(server);
});

test('a file that another program changes is noticed, and never overwritten unasked', async () => {
  const folder = makeFolder();
  const server = await start(folder);
  const page = await listen(server);
  await ask(server, 'open', { path: 'a.hbg' });
  fs.writeFileSync(path.join(folder, 'a.hbg'), `${text}// theirs\n`);
  await page.next((event) => event.event === 'disk' && event.kind === 'changed' && !event.isDirty);
  const { version } = await page.next((event) => event.event === 'update' && event.updates[0].client === 'disk');
  const { json: read } = await ask(server, 'open', { path: 'a.hbg' });
  assert.deepEqual([read.text, read.version, read.isDirty], [`${text}// theirs\n`, version, false]);

  await ask(server, 'update', { path: 'a.hbg', version, updates: [{ client: 'x', changes: [[0, '// mine', ''], read.text.length] }] });
  fs.writeFileSync(path.join(folder, 'a.hbg'), 'theirs again');
  await page.next((event) => event.event === 'disk' && event.isDirty);
  const refused = (await ask(server, 'save', { path: 'a.hbg', version: version + 1 })).json;
  assert.deepEqual([refused.saved, refused.reason, refused.disk], [false, 'changed-on-disk', 'theirs again']);
  assert.equal(fs.readFileSync(path.join(folder, 'a.hbg'), 'utf8'), 'theirs again');
  assert.equal((await ask(server, 'save', { path: 'a.hbg', version: version + 1, force: true })).json.saved, true);
  assert.equal(fs.readFileSync(path.join(folder, 'a.hbg'), 'utf8'), `// mine\n${text}// theirs\n`);

  fs.rmSync(path.join(folder, 'a.hbg'));
  await page.next((event) => event.event === 'disk' && event.kind === 'deleted');
  fs.writeFileSync(path.join(folder, 'new.hbg'), 'model New { }');
  await page.next((event) => event.event === 'folder');
  page.close();
  await stop(server);
});

test('a look says what is wrong and where, and what is drawn', async () => {
  const server = await start(makeFolder());
  const wrong = `// ä😀\n${text.replace('bullet_motion -> bullet ', 'bullet_motion -> bulet ')}`;
  await ask(server, 'update', { path: 'a.hbg', version: 0, updates: [{ client: 'x', changes: [[text.length, ...wrong.split('\n')]] }] });
  const { json: look } = await ask(server, 'look', { path: 'a.hbg', version: 1, level: '', mode: '' });
  assert.equal(look.isRight, false);
  assert.ok(look.problems.some((problem) => wrong.slice(problem.from, problem.to) === 'bulet'), JSON.stringify(look.problems));
  assert.equal((await ask(server, 'look', { path: 'a.hbg', version: 0, level: '', mode: '' })).status, 409);
  const now = await ask(server, 'update', { path: 'a.hbg', version: 1, updates: [{ client: 'x', changes: [[wrong.length, ...`// ä😀\n${text}`.split('\n')]] }] });
  const { json: right } = await ask(server, 'look', { path: 'a.hbg', version: now.json.version, level: '', mode: 'contact=on' });
  assert.deepEqual([right.isRight, right.name, right.stop], [true, 'BulletWood', 1]);
  const bullet = right.diagram.symbols.find((symbol) => symbol.name === 'bullet');
  assert.equal(`// ä😀\n${text}`.slice(bullet.from, bullet.to), 'bullet');
  assert.equal(right.diagram.symbols.find((symbol) => symbol.name === 'contact').machineType, 'Contact');
  assert.ok(right.submodels.some((submodel) => submodel.file === 'mechanical.hbg' && submodel.ports.length > 0));
  await stop(server);
});

test('pictures are bytes', async () => {
  const server = await start(makeFolder());
  const svg = await ask(server, 'draw', { path: 'a.hbg', version: 0, level: '', mode: '', format: 'svg' });
  assert.deepEqual([svg.status, svg.headers['content-type']], [200, 'image/svg+xml']);
  assert.match(svg.body, /^<svg/);
  assert.match((await ask(server, 'thumbnail', { path: 'a.hbg' })).body, /^<svg/);
  assert.equal((await ask(server, 'draw', { path: 'a.hbg', version: 0, level: 'nowhere', mode: '', format: 'svg' })).status, 404);
  assert.equal((await ask(server, 'draw', { path: 'a.hbg', version: 0, level: '', mode: '', format: 'gif' })).status, 400);
  await stop(server);
});

test('without a folder the gallery is shown, and cannot be written to', async () => {
  const server = await start();
  const { json: folder } = await ask(server, 'folder', {});
  assert.equal(folder.isGallery, true);
  const entry = folder.models.find(({ name }) => name === 'BulletWood');
  assert.equal(entry.path, 'gallery:bullet-wood/bullet-wood.hbg');
  const { json: document } = await ask(server, 'open', { path: entry.path });
  assert.deepEqual([document.text, document.isReadOnly], [text, true]);
  for (const { path: each } of folder.models) assert.equal((await ask(server, 'thumbnail', { path: each })).status, 200, each);
  assert.equal((await ask(server, 'save', { path: entry.path, version: 0 })).status, 403);
  await stop(server);
});

test('a model is opened with what lies beside it', async () => {
  const folder = makeFolder();
  const server = await start(path.join(folder, 'a.hbg'));
  const { json } = await ask(server, 'folder', {});
  assert.deepEqual([json.opened, json.models.map((entry) => entry.path)], ['a.hbg', ['a.hbg']]);
  await stop(server);
});

test('what cannot be served is told with the cure', async () => {
  const server = await start(makeFolder());
  await assert.rejects(start(makeFolder(), '--port', String(server.port)), /taken.*--port/s);
  await assert.rejects(start('/nowhere'), /no folder or model/);
  await assert.rejects(start(makeFolder(), '--port', 'x'), /number/);
  await assert.rejects(start(makeFolder(), '--assets', '/nowhere'), /--assets/);
  await stop(server);
});

test('many pages that come and go leave nothing behind', async () => {
  const server = await start(makeFolder());
  for (let round = 0; round < 5; round++) {
    const pages = [];
    for (let i = 0; i < 20; i++) pages.push(await listen(server));
    await ask(server, 'new', { path: `new${round}.hbg`, text: '' });
    await Promise.all(pages.map((page) => page.next((event) => event.event === 'folder')));
    for (const page of pages) page.close();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop(server);
});

test('nonsense in every request is answered, and ends nothing', async () => {
  const server = await start(makeFolder());
  const names = fs.readFileSync(path.join(process.env.SOURCE, 'apps/studio/requests.def'), 'utf8').match(/(?<=REQUEST\(")[a-z-]+/g);
  const values = [null, -1, 1e300, '', 'a.hbg', '../x', [], {}, true, 'x'.repeat(10000), [{}], [[1e9]], 0];
  let seed = 7;
  const pick = (list) => list[(seed = (seed * 1103515245 + 12345) % 2147483648) % list.length];
  const members = ['path', 'version', 'updates', 'level', 'mode', 'operations', 'where', 'name', 'names', 'at', 'format', 'run', 'row', 'columns', 'settings', 'text', 'first', 'count', 'command', 'stop'];
  for (const name of names)
    for (let i = 0; i < 12; i++) {
      const request = { path: 'a.hbg', version: 0 };
      for (let k = 0; k < 5; k++) request[pick(members)] = pick(values);
      if (name === 'new') request.path = '../x';
      const { status } = await ask(server, name, request);
      assert.ok([200, 400, 403, 404, 409, 413, 429].includes(status), `${name} ${JSON.stringify(request).slice(0, 300)}: ${status}`);
    }
  await stop(server);
});
