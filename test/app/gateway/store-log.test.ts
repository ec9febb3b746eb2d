/** What the log of the gateway says of a store that fails, and of a disk that is nearly full. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { watchRoom } from '../../../src/app/gateway/disk-room.js';
import { createStoreLog } from '../../../src/app/gateway/failure-logs.js';
import { SandgateError } from '../../../src/spec/index.js';
import { NOW } from '../../builders.js';

function aLog() {
  const lines: [level: string, facts: object, text: string][] = [];
  const level = (name: string) => (facts: object, text: string) => void lines.push([name, facts, text]);
  const log = { info: level('info'), warn: level('warn'), error: level('error'), debug: level('debug') };
  let due: (() => void)[] = [];
  const timer = {
    after: (_: number, run: () => void) => {
      due.push(run);
      return () => {
        due = due.filter((one) => one !== run);
      };
    },
  };
  const pass = () => {
    for (const run of due.splice(0)) run();
  };
  return { lines, log, timer, clock: () => NOW, pass, isWaiting: () => due.length > 0 };
}

const unusable = (why: string) => new SandgateError('store.unusable', { path: 'a.db', why });
const FULL = unusable('the disk is full');
const GONE = unusable('the file is gone');

it('A failing store is one line a cause and interval, with a count, however often it fails', () => {
  const { lines, pass, isWaiting, ...parts } = aLog();
  const storeLog = createStoreLog(parts);
  for (let i = 0; i < 300; i++) {
    storeLog.onDown(FULL);
    for (let call = 0; call < 3; call++) storeLog.onUnrecorded();
    storeLog.onUp();
  }
  expect(lines.map(([level, , text]) => `${level} ${text.slice(0, 25)}`)).toEqual([
    'error Nothing can be recorded, ',
    'warn Exchanges are recorded ag',
  ]);
  storeLog.onDown(GONE);
  expect(lines.at(-1)?.[1]).toEqual({ cause: GONE.message });
  storeLog.onUnrecorded();
  pass();
  expect(lines.at(-1)).toEqual([
    'error',
    { cause: GONE.message, unrecorded: 1 },
    expect.stringMatching(/^Still/),
  ]);
  storeLog.onUp();
  pass();
  pass();
  expect([lines.length, isWaiting()]).toEqual([5, false]);
});

it('A store that works again has the last word, also where it failed twice and no call came', () => {
  const { lines, pass, isWaiting, ...parts } = aLog();
  const storeLog = createStoreLog(parts);
  for (const cause of [FULL, GONE]) {
    storeLog.onDown(cause);
    storeLog.onUp();
  }
  pass();
  expect(lines.at(-1)).toEqual(['warn', { unrecorded: 0 }, 'Exchanges are recorded again.']);
  pass();
  expect([lines.length, isWaiting()]).toEqual([4, false]);
});

it('A hole is noted when the store works again, and only what it keeps says that it does', () => {
  const { lines, ...parts } = aLog();
  let now = NOW;
  const noted: [session: string, unrecorded: object][] = [];
  const storeLog = createStoreLog(
    { ...parts, clock: () => now },
    () => {},
    (session, unrecorded) => void noted.push([session, unrecorded]),
  );
  const at = (ms: number) => new Date(NOW + ms).toISOString();
  const lose = (ms: number, session: string) => {
    now = NOW + ms;
    storeLog.onUnrecorded(session);
  };
  storeLog.onDown(FULL);
  lose(0, 'june');
  lose(5, 'june');
  lose(7, 'other');
  expect(noted).toEqual([]);
  storeLog.onUp();
  const first = [
    ['june', { calls: 2, from: at(0), to: at(5) }],
    ['other', { calls: 1, from: at(7), to: at(7) }],
  ];
  expect(noted).toEqual(first);
  // The disk is still full: the notes wait, and so does the word that all is well.
  storeLog.onDown(FULL);
  lose(9, 'june');
  storeLog.onUp();
  expect(noted).toEqual(first);
  expect(lines.filter(([level]) => level === 'warn')).toEqual([]);
  storeLog.onKept();
  const second = ['june', { calls: 1, from: at(9), to: at(9) }];
  expect(noted).toEqual([...first, second]);
  expect(lines.filter(([level]) => level === 'warn')).toEqual([]);
  storeLog.onKept();
  storeLog.onKept();
  expect(noted).toHaveLength(3);
  expect(lines.filter(([level]) => level === 'warn')).toEqual([
    ['warn', { unrecorded: expect.any(Number) }, 'Exchanges are recorded again.'],
  ]);
  expect(storeLog.unrecordedIn('june')).toEqual({ calls: 3, from: at(0), to: at(9) });
  expect(storeLog.unrecordedIn('july')).toBeNull();
});

it('A disk that is nearly full is told before it is full, and not at every look', async () => {
  const { lines, log, timer, pass } = aLog();
  const look = vi.fn(async () => ({ free: 5_000_000, isLittle: true }));
  const watch = watchRoom('store.db', { log, timer }, look);
  for (let i = 0; i < 30; i++) {
    await nextTurn();
    pass();
  }
  expect(lines).toEqual([
    ['warn', { store: 'store.db', free: '4 MiB' }, expect.stringMatching(/nearly full/)],
  ]);
  expect([watch.free(), look.mock.calls.length]).toEqual([5_000_000, 31]);
  watch.close();
  await nextTurn();
  pass();
  expect(look).toHaveBeenCalledTimes(31);
});
