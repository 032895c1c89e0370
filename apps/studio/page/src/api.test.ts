// SPDX-License-Identifier: BSD-3-Clause
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RequestFailed, call, linkTo, listen, readAddress, readEvent, takeToken, token } from './api';

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const answers = (status: number, body: string) => vi.stubGlobal('fetch', vi.fn(() => Promise.resolve(new Response(body, { status }))));

describe('the address', () => {
  it('carries the token alone, or with an open model', () => {
    expect(readAddress('#0123456789abcdef0123456789abcdef')).toEqual({ token: '0123456789abcdef0123456789abcdef', open: '' });
    expect(readAddress('#token=abc&open=a%20b/c.hbg')).toEqual({ token: 'abc', open: 'a b/c.hbg' });
    expect(readAddress('#open=a/b.hbg')).toEqual({ token: '', open: 'a/b.hbg' });
    expect(readAddress('')).toEqual({ token: '', open: '' });
  });
  it('loses the token, which a reload finds in the storage of the tab', () => {
    location.hash = '#token=secret&open=a.hbg';
    expect(takeToken().open).toBe('a.hbg');
    expect(token()).toBe('secret');
    expect(location.hash).toBe('#open=a.hbg');
    expect(takeToken()).toEqual({ token: '', open: 'a.hbg' });
    expect(linkTo('a.hbg')).toContain('#token=secret&open=a.hbg');
  });
});

describe('a request', () => {
  it('carries the token in a header', async () => {
    sessionStorage.setItem('hybrsim-studio-token', 'secret');
    answers(200, '{"models":[]}');
    expect(await call('folder', {})).toEqual({ models: [] });
    const [address, options] = vi.mocked(fetch).mock.calls[0]!;
    expect(address).toBe('/api/folder');
    expect(options).toMatchObject({ method: 'POST', headers: { 'X-Studio-Token': 'secret' } });
  });
  it('fails with the sentence of the server and its cure', async () => {
    answers(404, '{"error":"There is no such file.","cure":"Create it."}');
    await expect(call('open', { path: 'x' })).rejects.toThrow('There is no such file. Create it.');
  });
  it('fails with a sentence also when the answer has none', async () => {
    answers(500, 'oops');
    await expect(call('folder', {})).rejects.toThrow('status 500');
    answers(403, '');
    await expect(call('folder', {})).rejects.toThrow('Open the address');
  });
  it('tells that the server is away', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    const error = await call('folder', {}).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RequestFailed);
    expect(error).toMatchObject({ status: 0 });
  });
});

describe('listening', () => {
  it('connects again, later and later, and tells both', async () => {
    vi.useFakeTimers();
    const sources: { onopen?: () => void; onerror?: () => void; onmessage?: (message: { data: string }) => void; close: () => void }[] = [];
    vi.stubGlobal('EventSource', class { close = () => undefined; constructor() { sources.push(this); } });
    const links: boolean[] = [];
    const events: string[] = [];
    const stop = listen((event) => events.push(event.event), (isThere) => links.push(isThere));
    sources[0]?.onopen?.();
    sources[0]?.onmessage?.({ data: '{"event":"folder"}' });
    sources[0]?.onmessage?.({ data: '{"eve' });
    sources[0]?.onerror?.();
    await vi.advanceTimersByTimeAsync(600);
    sources[1]?.onerror?.();
    await vi.advanceTimersByTimeAsync(600);
    expect(sources).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(600);
    expect(sources).toHaveLength(3);
    stop();
    expect(links).toEqual([true, false, false]);
    expect(events).toEqual(['folder']);
  });
  it('reads no half events', () => {
    expect(readEvent('{"event":')).toBeNull();
    expect(readEvent('{}')).toBeNull();
  });
});
