// SPDX-License-Identifier: BSD-3-Clause
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FixtureServer, installFixtureServer } from '../fixtures/server';
import { lookAnswer } from '../fixtures/cradle';
import type { RunInfo } from '../protocol';
import { useStudio } from '../parts';
import { lookEngine } from './engine';
import { setLookView, useLookView } from './view';

let server: FixtureServer;
const studio = () => useStudio.getState();
const settled = (check: () => void) => vi.waitFor(check, { timeout: 2000, interval: 5 });

beforeEach(() => {
  server = new FixtureServer();
  installFixtureServer(server);
  useStudio.setState({ path: 'cradle.hbg', version: 1, look: lookAnswer, isLookCurrent: true, runs: [], current: null, panes: [], cursor: null, instants: [], settings: {}, notices: [], hidden: new Set() });
  setLookView({ view: null, opened: null, kept: new Set(), instantTotal: 0 });
});

describe('running', () => {
  it('shows what is stored and the signals, and fetches their samples', async () => {
    await studio().run();
    await settled(() => expect(lookEngine().recordings.get(studio().current ?? '')?.grid.count).toBe(303));
    expect(studio().panes.map((pane) => pane.curves.length)).toEqual([3, 3, 2]);
    expect(studio().runs[0]?.state).toBe('done');
  });
  it('replaces the run before it, but for one that is kept', async () => {
    await studio().run();
    const first = studio().current as string;
    await studio().run();
    await settled(() => expect(studio().runs.map((run) => run.run)).not.toContain(first));
    const second = studio().current as string;
    lookEngine().keep(second, true);
    await studio().run();
    await settled(() => expect(useLookView.getState().recordingVersion).toBeGreaterThan(0));
    expect(studio().runs.map((run) => run.run)).toContain(second);
  });
  it('hears that a run is over also when that comes before the answer to its start', async () => {
    server.isSlow = true;
    const started = studio().run();
    await settled(() => expect(server.runs.size).toBe(1));
    const { info } = [...server.runs.values()][0] as { info: RunInfo };
    studio().onProgress({ run: info.run, label: '', state: 'done', time: 1, stop: 1, rows: 303, events: 1 });
    await started;
    await settled(() => expect(studio().runs[0]?.state).toBe('done'));
    expect(studio().runs[0]?.rows).toBe(303);
  });
  it('fetches the samples also of a run that was over before anybody asked how it stands', async () => {
    const started = studio().run();
    await settled(() => expect(server.runs.size).toBe(1));
    studio().onProgress({ run: [...server.runs.keys()][0] as string, label: '', state: 'done', time: 1, stop: 1, rows: 303, events: 1 });
    await started;
    await settled(() => expect(lookEngine().recordings.get(studio().current ?? '')?.grid.count).toBe(303));
  });
  it('tells in full why it stopped, however quickly that was', async () => {
    server.failure = 'contact switches to and fro without end.';
    await studio().run();
    expect(studio().notices.some((notice) => notice.text.includes('contact switches to and fro without end.'))).toBe(true);
  });
  it('a wrong model leads to its first problem instead', async () => {
    const problem = { code: 'x', title: 't', isError: true, from: 3, to: 5, message: 'A storage needs a value.', help: '', related: [], fixes: [] };
    useStudio.setState({ look: { ...lookAnswer, isRight: false, problems: [problem] } });
    await studio().run();
    expect(studio().current).toBeNull();
    expect(studio().notices[0]?.text).toContain('A storage needs a value.');
    expect(studio().notices[0]?.action?.title).toBe('Show it');
  });
  it('follows a slider with one run when it comes to rest', async () => {
    for (const value of ['0.9', '0.8', '0.7', '0.5']) studio().setSetting({ name: 'F_th', value });
    await settled(() => expect(studio().current).not.toBeNull());
    expect(server.asked.filter((asked) => asked.name === 'run')).toHaveLength(1);
    expect(studio().runs[0]?.label).toBe('F_th = 0.5');
  });
  it('forgets settings of parameters that the text no longer has', async () => {
    useStudio.setState({ settings: { F_th: '0.5', gone: '1' } });
    await studio().run();
    expect(studio().runs[0]?.settings).toEqual([{ name: 'F_th', value: '0.5' }]);
  });
});

describe('the cursor', () => {
  it('opens an instant and steps through its rows', async () => {
    useStudio.setState({ settings: { F_th: '0.5' } });
    await studio().run();
    studio().setCursorInstant(0);
    await settled(() => expect(studio().cursor?.answer?.kind).toBe('before'));
    expect(useLookView.getState().opened).toMatchObject({ instant: 0, first: 60, count: 4 });
    studio().setCursorRow(61);
    await settled(() => expect(studio().cursor?.answer?.kind).toBe('mythical'));
    expect(studio().cursor?.answer?.values['body3.p']).toBeCloseTo(0.6);
    studio().setCursorRow(62);
    await settled(() => expect(studio().cursor?.answer?.states['F23']).toBe('sliding'));
    expect(useLookView.getState().opened).not.toBeNull();
    studio().setCursorRow(64);
    await settled(() => expect(useLookView.getState().opened).toBeNull());
  });
  it('stays in the instant when a slider changes what happens in it', async () => {
    await studio().run();
    studio().setCursorInstant(0);
    await settled(() => expect(useLookView.getState().opened?.count).toBe(3));
    studio().setSetting({ name: 'F_th', value: '0.5' });
    await settled(() => expect(useLookView.getState().opened?.count).toBe(4));
    await settled(() => expect(studio().cursor?.run).toBe(studio().current));
  });
  it('at a time shows the last row that is not behind it', async () => {
    await studio().run();
    await settled(() => expect(lookEngine().recordings.get(studio().current ?? '')?.grid.count).toBe(303));
    studio().setCursorTime(0.5);
    await settled(() => expect(studio().cursor?.answer?.time).toBeCloseTo(0.5));
  });
});

describe('plotting', () => {
  it('puts a column where its unit is, else into a pane of its own above the lanes', async () => {
    await studio().run();
    studio().plot('slip');
    studio().plot('body1.f');
    expect(studio().panes[2]?.curves.map((curve) => curve.column)).toEqual(['slip', 'body1.f']);
    studio().plot('energy(body1)');
    expect(studio().panes.map((pane) => pane.curves[0]?.column)).toEqual(['body1.p', 'position1', 'slip', 'energy(body1)', 'F13']);
    studio().unplot('energy(body1)');
    expect(studio().panes).toHaveLength(4);
  });
  it('shows nothing twice', async () => {
    await studio().run();
    studio().plot('body1.p');
    expect(studio().panes[0]?.curves).toHaveLength(3);
  });
});
