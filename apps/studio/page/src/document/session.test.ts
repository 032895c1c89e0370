// SPDX-License-Identifier: BSD-3-Clause
import { Text } from '@codemirror/state';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { authority, opened } from '../testing/authority';
import type { Authority } from '../testing/authority';
import { carryOut, moveOperation } from './edit';
import { Looker } from './look';
import { Session, difference } from './session';

const textOf = (session: Session) => session.state.doc.toString();
const write = (session: Session, from: number, insert: string, to = from) => session.dispatch({ changes: { from, to, insert }, userEvent: 'input.type' });
const sessions: Session[] = [];
const open = (server: Authority, isDirty = false) => {
  const session = new Session(opened(server, isDirty));
  sessions.push(session);
  return session;
};

afterEach(() => {
  for (const session of sessions.splice(0)) session.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a session', () => {
  it('sends what is typed, and counts versions with the server', async () => {
    const server = authority('abc');
    const session = open(server);
    write(session, 3, 'd');
    write(session, 4, 'e');
    await session.flush();
    expect(server.text()).toBe('abcde');
    expect(session.version).toBe(2);
  });

  it('merges what two pages write at once', async () => {
    const server = authority('abc');
    const session = open(server);
    server.write(0, 0, 'X');
    write(session, 3, 'Y');
    await session.flush();
    expect(textOf(session)).toBe('XabcY');
    expect(server.text()).toBe('XabcY');
  });

  it('takes updates of others once, whether they are told or answered', async () => {
    const server = authority('abc');
    const session = open(server);
    server.onUpdate = ({ version, updates }) => session.hear(version, updates);
    server.write(0, 0, 'X');
    write(session, 4, 'Y');
    await session.flush();
    server.write(0, 0, 'Z');
    await session.flush();
    expect(textOf(session)).toBe('ZXabcY');
    expect(session.version).toBe(3);
  });

  it('asks for updates that it has missed', async () => {
    const server = authority('abc');
    const session = open(server);
    server.write(0, 0, 'X');
    server.write(0, 0, 'Y');
    session.hear(2, server.updates.slice(1));
    await vi.waitFor(() => expect(textOf(session)).toBe('YXabc'));
  });

  it('agrees with the other page in a storm of both', async () => {
    const server = authority('0123456789');
    const one = open(server);
    const two = open(server);
    server.onUpdate = (event) => {
      one.hear(event.version, event.updates);
      two.hear(event.version, event.updates);
    };
    let seed = 7;
    const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
    for (let round = 0; round < 200; round += 1) {
      const session = random(2) ? one : two;
      const from = random(session.state.doc.length + 1);
      write(session, from, String.fromCharCode(97 + random(26)), Math.min(from + random(3), session.state.doc.length));
      if (random(4) === 0) await Promise.resolve();
      if (random(9) === 0) await session.flush();
    }
    await one.flush();
    await two.flush();
    await one.flush();
    expect(textOf(one)).toBe(server.text());
    expect(textOf(two)).toBe(server.text());
  });

  it('keeps what is typed while the server is away, and sends it when it is back', async () => {
    vi.useFakeTimers();
    const server = authority('abc');
    const session = open(server);
    const links: boolean[] = [];
    session.listen({ onLink: (isThere) => links.push(isThere) });
    server.isGone = true;
    write(session, 3, 'd');
    await expect(session.flush()).rejects.toThrow('does not answer');
    write(session, 4, 'e');
    server.isGone = false;
    await vi.advanceTimersByTimeAsync(1500);
    expect(server.text()).toBe('abcde');
    expect(links).toEqual([false, true]);
  });

  it('keeps its text when the server was started anew and counts other versions', async () => {
    const server = authority('abc');
    const session = open(server);
    for (const letter of 'defg') write(session, session.state.doc.length, letter);
    await session.flush();
    server.version = 1;
    server.updates = server.updates.slice(0, 1);
    server.doc = Text.of(['abcd']);
    write(session, 0, 'X');
    await session.flush();
    expect(textOf(session)).toBe('Xabcdefg');
    expect(server.text()).toBe('Xabcdefg');
  });

  it('undoes own changes and leaves those of others', async () => {
    const server = authority('abc');
    const session = open(server);
    write(session, 3, 'd');
    await session.flush();
    server.write(0, 0, 'X');
    session.resume();
    await vi.waitFor(() => expect(textOf(session)).toBe('Xabcd'));
    session.undo();
    expect(textOf(session)).toBe('Xabc');
    session.redo();
    expect(textOf(session)).toBe('Xabcd');
  });

  it('is dirty until it is saved, and again not when a change is undone', () => {
    const session = open(authority('abc'));
    expect(session.isDirty).toBe(false);
    write(session, 0, 'X');
    expect(session.isDirty).toBe(true);
    session.undo();
    expect(session.isDirty).toBe(false);
    expect(open(authority('abc'), true).isDirty).toBe(true);
  });

  it('is clean when the text of the disk arrives', async () => {
    const server = authority('abc');
    const session = open(server, true);
    server.readDisk('new');
    session.resume();
    await vi.waitFor(() => expect(textOf(session)).toBe('new'));
    expect(session.isDirty).toBe(false);
  });

  it('maps places through changes', () => {
    const session = open(authority('abcdef'));
    const tracker = session.track();
    write(session, 0, '12');
    write(session, 5, '', 6);
    expect([tracker.at(0), tracker.at(2), tracker.at(6)]).toEqual([2, 4, 7]);
    expect(tracker.at(99)).toBe(7);
  });
});

describe('an edit by drawing', () => {
  it('is one step of undo, apart from typing before and after', async () => {
    const server = authority('abc');
    const session = open(server);
    write(session, 3, 'd');
    server.edit = () => ({ edits: [{ from: 0, to: 0, insert: 'X' }, { from: 4, to: 4, insert: 'Y' }], reason: '', names: ['X'] });
    expect(await carryOut(session, [{ op: 'format' }])).toEqual({ reason: '', names: ['X'] });
    write(session, 6, 'e');
    expect(textOf(session)).toBe('XabcdYe');
    session.undo();
    expect(textOf(session)).toBe('XabcdY');
    session.undo();
    expect(textOf(session)).toBe('abcd');
  });

  it('is asked for again when the text changes meanwhile, with its places moved along', async () => {
    const server = authority('abc');
    const session = open(server);
    let isFirst = true;
    server.before = (name) => {
      if (name !== 'edit' || !isFirst) return;
      isFirst = false;
      write(session, 0, 'XX');
    };
    server.edit = () => ({ edits: [{ from: server.doc.length, to: server.doc.length, insert: '!' }], reason: '', names: [] });
    expect((await carryOut(session, [{ op: 'rename', at: 1, name: 'q' }])).reason).toBe('');
    expect(textOf(session)).toBe('XXabc!');
    const asked = server.asked.filter(({ name }) => name === 'edit');
    expect(asked).toHaveLength(2);
    expect(asked[1]?.request.operations).toEqual([{ op: 'rename', at: 3, name: 'q' }]);
  });

  it('hands on the reason why not, and changes nothing then', async () => {
    const server = authority('abc');
    server.edit = () => ({ edits: [], reason: 'It has its bond already.', names: [] });
    const session = open(server);
    expect((await carryOut(session, [{ op: 'format' }])).reason).toBe('It has its bond already.');
    expect(textOf(session)).toBe('abc');
  });

  it('moves every place that an operation names', () => {
    const at = (place: number) => place + 10;
    expect(moveOperation({ op: 'reverse', from: 1, to: 3 }, { at })).toEqual({ op: 'reverse', from: 11, to: 13 });
    expect(moveOperation({ op: 'remove', where: '', names: ['a'], arrows: [{ from: 1, to: 3 }] }, { at })).toMatchObject({ arrows: [{ from: 11, to: 13 }] });
    expect(moveOperation({ op: 'place', where: '', places: [] }, { at })).toEqual({ op: 'place', where: '', places: [] });
  });
});

describe('looking', () => {
  const hooks = () => {
    const looks: boolean[] = [];
    let stale = 0;
    return {
      looks,
      stale: () => stale,
      hooks: { wish: () => ({ level: '', mode: '' }), onLook: (_: unknown, isCurrent: boolean) => looks.push(isCurrent), onStale: () => (stale += 1), onFailure: () => undefined },
    };
  };

  it('waits until typing rests, and asks once', async () => {
    vi.useFakeTimers();
    const server = authority('abc');
    const session = open(server);
    const seen = hooks();
    const looker = new Looker(session, seen.hooks);
    for (const letter of 'defg') {
      write(session, session.state.doc.length, letter);
      await vi.advanceTimersByTimeAsync(20);
    }
    await vi.advanceTimersByTimeAsync(300);
    expect(server.asked.filter(({ name }) => name === 'look')).toHaveLength(1);
    expect(seen.looks).toEqual([true]);
    looker.stop();
  });

  it('maps places of a look that was overtaken while it was on its way', async () => {
    const server = authority('abc');
    const session = open(server);
    const seen = hooks();
    const looker = new Looker(session, seen.hooks);
    server.before = (name) => {
      if (name === 'look') {
        server.before = null;
        write(session, 0, 'XX');
      }
    };
    await looker.look();
    expect(seen.looks).toEqual([false]);
    expect(looker.place(1)).toBe(3);
    looker.stop();
  });

  it('lets the latest win', async () => {
    const server = authority('abc');
    const seen = hooks();
    const looker = new Looker(open(server), seen.hooks);
    await Promise.all([looker.look(), looker.look(), looker.look()]);
    expect(seen.looks).toEqual([true]);
    looker.stop();
  });
});

it('the difference of two texts is as short as can be', () => {
  const text = (value: string) => Text.of(value.split('\n'));
  expect(difference(text('abc'), text('abc'))).toBeNull();
  expect(difference(text('abcd'), text('abXd'))).toEqual({ from: 2, to: 3, insert: text('X') });
  expect(difference(text('aa'), text('aaa'))).toEqual({ from: 2, to: 2, insert: text('a') });
  expect(difference(text(''), text('a\nb'))).toEqual({ from: 0, to: 0, insert: text('a\nb') });
});
