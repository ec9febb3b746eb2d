/** Traffic that was judged live, judged again from the store, from a HAR and from a cassette: what of the verdicts differs. */

import { createHash } from 'node:crypto';
import { type Config, createOfflineJudge, judgeRecording, loadConfig } from '../../src/app/index.js';
import { createFingerprint, type FileRecord, type FileRecording, through } from '../../src/exchange/index.js';
import { buildCassette, readRecording } from '../../src/exchange/recording/index.js';
import type { Profile } from '../../src/rules/index.js';
import { dialectOf } from '../../src/spec/index.js';
import type { RecordedExchange } from '../../src/store/index.js';
import type { TestGateway } from '../e2e/harness.js';
import { buildHar } from '../exchange/har/build-har.js';
import { BLOCKED_TPP } from './certificates.js';

/** One journey as it was judged while it flowed. */
export interface Live {
  readonly name: string;
  /** Of a mutation that a proxy's file cannot show: another certificate, another listener, the allow list. */
  readonly unseen: boolean;
  readonly records: readonly RecordedExchange[];
  readonly gateway: TestGateway;
}

export type Rejudge = (live: Live, profile: Profile) => readonly RecordedExchange[];

/** Verdicts and findings are left out: everything must follow from the traffic. */
export const bare = ({ exchange }: RecordedExchange): FileRecord => ({ exchange });

export const fromStore =
  (keep: (record: RecordedExchange) => FileRecord): Rejudge =>
  ({ records, gateway: { app } }) => [
    ...through(records.map(keep), judgeRecording({ judge: app.judge, fingerprint: app.fingerprint })),
  ];

export function fromFile(write: (live: Live) => string): Rejudge {
  return (live, profile) => {
    const text = write(live);
    const recording = readRecording(text);
    // As `sandgate check` does it: a key of the file's own.
    const fingerprint = createFingerprint(createHash('sha256').update(text).digest());
    const judge = createOfflineJudge(CONFIGS[profile], {
      fingerprint,
      today: '2026-01-01',
      dialect: recording.dialect,
      origins: recording.origins,
      foreign: isForeign(recording),
    });
    return [...through(recording.records, judgeRecording({ judge, fingerprint }))];
  };
}

const configOf = (profile: Profile) =>
  loadConfig({ flags: { profile, blockedOrganisations: [BLOCKED_TPP] }, env: {} }).config;
const CONFIGS: Readonly<Record<Profile, Config>> = {
  sandbox: configOf('sandbox'),
  production: configOf('production'),
};

const isForeign = ({ format, session }: FileRecording) => format === 'har' && session === undefined;

export const har = ({ records, gateway }: Live, keep: (record: RecordedExchange) => FileRecord): string =>
  [
    ...buildHar(records.map(keep), {
      version: '0.0.0',
      session: 'test',
      dialect: dialectOf(),
      origins: [gateway.urls.api, gateway.urls.psu],
    }),
  ].join('');

/** The HAR of a proxy: without what only we write into one. */
export function foreignHar(live: Live): string {
  return JSON.stringify(JSON.parse(har(live, bare)), (key, value) =>
    key === '_sandgate' ? undefined : value,
  );
}

/** What such a file holds of a journey: no callbacks, and nothing that is not of this interface. */
export function throughProxy(live: Live): Live {
  const isSeen = ({ exchange: { call } }: RecordedExchange) =>
    call.listener !== 'callback' &&
    (call.operation !== null || call.allow !== undefined || call.request.path.startsWith('/stdgroup/'));
  return { ...live, records: live.records.filter(isSeen) };
}

export const cassette = ({ records, gateway }: Live): string =>
  [
    ...buildCassette(records.map(bare), {
      session: 'test',
      dialect: dialectOf(),
      origins: { api: gateway.urls.api, psu: gateway.urls.psu },
    }),
  ].join('');

/** That a consent is not the TPP's own cannot be seen there, but that the token is not the consent's. */
export const OTHERWISE_NAMED = 'accounts/token-belongs-to-consent was n/a, is violated';
/** Mutations that look otherwise where listeners and the allow list of the gateway are not known. */
export const UNSEEN = new Set(['authorize on the API listener', 'an address that is not allowed']);

/** What of the verdicts differs, as lines; `mayMiss`: where the file need not tell. */
export function differences(
  live: Live,
  again: readonly RecordedExchange[],
  mayMiss: (rule: string) => boolean,
): string[] {
  if (again.length !== live.records.length)
    return [`${live.name}: ${live.records.length} exchanges became ${again.length}`];
  return live.records.flatMap((record, i) => {
    const other = again[i];
    const rules = new Set([...Object.keys(record.verdicts), ...Object.keys(other?.verdicts ?? {})]);
    return [...rules].flatMap((rule) => {
      const [then, now] = [record.verdicts[rule] ?? 'n/a', other?.verdicts[rule] ?? 'n/a'];
      if (then === now || (now === 'not-observed' && mayMiss(rule))) return [];
      return [`${live.name}, ${record.exchange.call.operation}: ${rule} was ${then}, is ${now}`];
    });
  });
}

/** Rules that need a value which is never written: a clear verifier, a token that nobody gave out. */
export const NEEDS_CLEAR = new Set([
  'oauth/verifier-well-formed',
  'oauth/verifier-matches-challenge',
  'requests/ids-of-their-kind',
]);
/** Rules that need to know who calls, beside those of the certificate. */
export const NEEDS_CALLER = new Set([
  'accounts/consent-known',
  'accounts/consent-valid',
  'accounts/token-belongs-to-tpp',
  'accounts/token-known',
  'consents/known-to-tpp',
  'oauth/client-id',
  'oauth/refresh-token-belongs-to-tpp',
  'oauth/token-client-id',
  'payments/known-to-tpp',
]);
