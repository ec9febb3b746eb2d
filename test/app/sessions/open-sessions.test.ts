/** The sessions of a run: how they begin, follow each other, and end. */
import { describe, expect, it, vi } from 'vitest';
import { openSessions, type SessionsParts } from '../../../src/app/sessions/open-sessions.js';
import type { NamedSession, SessionAsker } from '../../../src/gateway/index.js';
import { type Awaitable, noteIn, type SessionInfo } from '../../../src/store/index.js';
import { anExchange, NOW } from '../../builders.js';
import { append, aStore, recordSource } from '../../store/stores.js';

const URLS = { api: 'https://localhost:1', psu: 'https://localhost:2' };
const TPP = { tpp: 'PSDBE-NBB-0123456789' };
const OTHER = { tpp: 'PSDBE-NBB-9876543210' };
const HOUR = 3_600_000;

async function opened(parts: Partial<SessionsParts> = {}, store = aStore()) {
  let now = NOW;
  const sessions = await openSessions({
    ...{ store, clock: () => now, name: 'main', settings: { profile: 'sandbox' } },
    note: (session, note) => noteIn(store, session, note),
    ...{ rotateSize: undefined, rotateEvery: undefined, mostNamed: 3, replayed: undefined },
    ...parts,
  });
  const notes = () =>
    store.sessions().map(({ name, notes: all }) => [name, ...all.map(({ kind }) => kind)].join(' '));
  return { sessions, store, notes, pass: (ms: number) => (now += ms) };
}

const exchangeIn = (session: string, size: number) => {
  const made = anExchange({ answer: { body: 'x'.repeat(size), headers: { 'Content-Type': 'text/plain' } } });
  return { ...made, call: made.call.with({ session }) };
};

describe('the sessions of a run', () => {
  it('note their start with settings and addresses once the listeners listen, and their end', async () => {
    const { sessions, store, notes } = await opened();
    expect([sessions.current(), notes()]).toEqual(['main', []]);
    await sessions.begin(() => URLS);
    sessions.end();
    expect(notes()).toEqual(['main started stopped']);
    expect(store.sessions()[0]?.notes[0]?.settings).toEqual({ profile: 'sandbox', urls: URLS });
  });

  it('leave no trace where the listeners never listened', async () => {
    const { sessions, notes } = await opened();
    sessions.end();
    expect(notes()).toEqual([]);
  });

  it('may be named by calls, each noted once, and only so many', async () => {
    const { sessions, notes } = await opened({ replayed: 'old' });
    await sessions.begin(() => URLS);
    for (const name of ['a', 'b', 'a', 'main', 'c', 'b'])
      expect(sessions.named(name, name === 'c' ? OTHER : TPP)).toEqual({ session: name });
    expect(sessions.named('d', TPP)).toEqual({ problem: expect.stringContaining('3 sessions') });
    expect(sessions.named('old', TPP)).toEqual({ problem: expect.stringContaining('replayed') });
    sessions.end();
    expect(notes()).toEqual([
      'main started stopped',
      'a started stopped',
      'b started stopped',
      'c started stopped',
    ]);
    expect(['a', 'main', 'd'].map(sessions.isOpen)).toEqual([true, true, false]);
  });

  it('are begun by no TPP in greater number than it leaves for others', async () => {
    const { sessions } = await opened({ mostNamed: 8 });
    const begins = (asker: SessionAsker) => {
      let count = 0;
      while ('session' in (sessions.named(`${count}-${JSON.stringify(asker)}`, asker) as NamedSession))
        count += 1;
      return count;
    };
    expect(
      [TPP, OTHER, 'link', { tpp: 'a third' }, { tpp: 'a fourth' }].map((one) => begins(one as SessionAsker)),
    ).toEqual([4, 2, 1, 1, 0]);
    expect(sessions.named(`0-${JSON.stringify(TPP)}`, OTHER)).toEqual({ session: expect.any(String) });
  });

  it('are begun by no stranger, who may enter those that are there', async () => {
    const { sessions } = await opened();
    expect(sessions.named('a', 'stranger')).toEqual({
      problem: expect.stringContaining('valid certificate'),
    });
    expect(sessions.named('a', TPP)).toEqual({ session: 'a' });
    expect(['a', 'main'].map((name) => sessions.named(name, 'stranger'))).toEqual([
      { session: 'a' },
      { session: 'main' },
    ]);
    expect(sessions.isOpen('b')).toBe(false);
  });

  it('follow each other when one is old enough, at the next call', async () => {
    const { sessions, notes, pass, store } = await opened({ rotateEvery: HOUR });
    await sessions.begin(() => URLS);
    pass(HOUR - 1);
    expect(sessions.current()).toBe('main');
    pass(1);
    expect([sessions.current(), sessions.current()]).toEqual(['main-2', 'main-2']);
    pass(5 * HOUR);
    expect(sessions.current()).toBe('main-3');
    expect(notes()).toEqual(['main started stopped', 'main-2 started stopped', 'main-3 started']);
    expect(store.sessions()[0]?.notes[1]?.settings).toEqual({ followedBy: 'main-2' });
    expect(['main', 'main-3'].map(sessions.isOpen)).toEqual([false, true]);
  });

  it('follow each other when one is large enough; what calls name does not count', async () => {
    const { sessions } = await opened({ rotateSize: 10_000 });
    await sessions.begin(() => URLS);
    sessions.grew(exchangeIn('named', 50_000));
    sessions.grew(exchangeIn('main', 8_000));
    expect(sessions.current()).toBe('main');
    sessions.grew(exchangeIn('main', 1_500));
    expect(sessions.current()).toBe('main-2');
    sessions.grew(exchangeIn('main', 50_000));
    expect(sessions.current()).toBe('main-2');
  });

  it('go on with a session of the same name, or after it where they rotate', async () => {
    const store = aStore();
    append(store, recordSource('main')(), recordSource('main-2', NOW + 9)());
    expect((await opened({}, store)).sessions.current()).toBe('main');
    expect((await opened({ rotateEvery: HOUR }, store)).sessions.current()).toBe('main-3');
  });

  it('follow each other once a store that answers later has told which names are taken; calls go on meanwhile', async () => {
    let tell: (sessions: SessionInfo[]) => void = () => {};
    let fail: (error: Error) => void = () => {};
    const late = () =>
      new Promise<SessionInfo[]>((resolve, reject) => {
        tell = resolve;
        fail = reject;
      });
    const names = vi.fn<() => Awaitable<SessionInfo[]>>(() => []);
    const { sessions, pass } = await opened({
      store: { append: () => {}, sessions: names },
      rotateEvery: HOUR,
    });
    names.mockImplementation(late);
    pass(HOUR);
    expect([sessions.current(), sessions.current(), names.mock.calls.length]).toEqual(['main', 'main', 2]);
    fail(new Error('The network is down.'));
    await Promise.resolve();
    await Promise.resolve();
    expect(sessions.current()).toBe('main');
    tell([{ name: 'main-2' } as SessionInfo]);
    await Promise.resolve();
    expect([sessions.current(), names.mock.calls.length]).toEqual(['main-3', 3]);
  });

  it('let no call wait for a note, but end a start whose note cannot be written', async () => {
    const append = vi.fn();
    const later = vi.fn();
    const { sessions } = await opened({ store: { append, sessions: () => [] }, note: later });
    await sessions.begin(() => URLS);
    append.mockImplementation(() => {
      throw new Error('The disk is full.');
    });
    expect(sessions.named('a', TPP)).toEqual({ session: 'a' });
    expect(later).toHaveBeenCalledExactlyOnceWith('a', expect.objectContaining({ kind: 'started' }));
    await expect(sessions.begin(() => URLS)).rejects.toThrow('The disk is full.');
  });
});
