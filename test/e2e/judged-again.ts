/** A session judged in every way that needs no gateway, to be held against what was judged live. */

import { loadConfig } from '../../src/app/index.js';
import { openFileSource, openSessionSource } from '../../src/app/report/index.js';
import { exportSession, importRecording } from '../../src/app/sessions/index.js';
import { bytesOf, openRecordingFile } from '../../src/exchange/recording/index.js';
import { openReport } from '../../src/report/index.js';
import { dialectOf } from '../../src/spec/index.js';
import type { RecordedExchange, SessionInfo, Store } from '../../src/store/index.js';
import { all } from '../rows.js';
import { aStore } from '../store/stores.js';

const TODAY = '2026-11-23';
const loaded = loadConfig({ flags: {} });

/** What was found in an exchange; and what rules saw that may need to see secrets is no part of it. */
export interface Judgement {
  readonly call: string;
  readonly found: readonly string[];
  readonly limit: string | undefined;
}

const judgementOf = ({ exchange: { call, answer }, findings, verdicts }: RecordedExchange): Judgement => ({
  call: `${call.request.method} ${call.request.path} ${answer?.status}`,
  found: findings.map(({ rule }) => rule).sort(),
  limit: verdicts['accounts/within-daily-limit'],
});

const infoOf = async (store: Store, name: string): Promise<SessionInfo> =>
  (await store.sessions()).find((one) => one.name === name) as SessionInfo;

export const judgedLive = async (store: Store, name: string): Promise<Judgement[]> =>
  (await all(store.read(name))).map(judgementOf);

/** As `report` does under another profile, but for the profile. */
export async function judgedFromStore(store: Store, name: string, by = loaded): Promise<Judgement[]> {
  const session = await infoOf(store, name);
  const parts = { loaded: by, today: TODAY };
  const caps = { occurrences: 0, appendix: 0, lanes: 0, steps: 0, rows: 9 };
  const usual = await (await openSessionSource(store, session, parts)).usual();
  const again = { ...usual, rejudged: true, caps };
  const anew = await (await openSessionSource(store, session, { ...parts, recipe: again })).usual();
  const opened = await openSessionSource(store, session, { ...parts, recipe: { ...again, ...anew } });
  return (await all(opened.records)).map(judgementOf);
}

export type Format = 'har' | 'cassette';

export async function exported(store: Store, name: string, format: Format, verdicts = true): Promise<string> {
  const options = { format, version: '1', dialect: dialectOf(), verdicts } as const;
  return (await all(exportSession(store, await infoOf(store, name), options))).join('');
}

export const judgedFromFile = async (
  text: string,
  profile?: 'production',
  by = loaded,
): Promise<Judgement[]> => {
  const settings = profile === undefined ? by : loadConfig({ flags: { profile } });
  const opened = openFileSource(bytesOf(text), { loaded: settings, today: TODAY, name: 'file' });
  return (await all(opened.records)).map(judgementOf);
};

/** In a store of its own. */
export async function imported(text: string, name: string): Promise<Store> {
  const store = aStore({ path: ':memory:' });
  const recording = openRecordingFile(bytesOf(text));
  const parts = { store, config: loaded.config, session: name, file: 'file', now: Date.now() };
  await all(importRecording(recording, parts));
  return store;
}

/** The same session in all ways, by how it was judged. */
export async function judgedInAllWays(store: Store, name: string): Promise<Record<string, Judgement[]>> {
  const [har, cassette] = [await exported(store, name, 'har'), await exported(store, name, 'cassette')];
  const [ofHar, ofCassette] = [await imported(har, name), await imported(cassette, name)];
  return {
    store: await judgedFromStore(store, name),
    har: await judgedFromFile(har),
    cassette: await judgedFromFile(cassette),
    'imported HAR': await judgedFromStore(ofHar, name),
    'imported cassette': await judgedFromStore(ofCassette, name),
    'HAR of an imported cassette': await judgedFromFile(await exported(ofCassette, name, 'har')),
  };
}

/** The greatest number of reads without the PSU that a report tells of a consent and an operation. */
export async function mostReads(store: Store, name: string): Promise<number> {
  const opened = await openSessionSource(store, await infoOf(store, name), { loaded, today: TODAY });
  const builder = openReport(opened.source, { version: '1' });
  for await (const record of opened.records) builder.take(record);
  return Math.max(0, ...builder.close().dailyLimit.rows.map(({ unattended }) => unattended));
}
