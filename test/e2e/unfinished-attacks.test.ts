/** Whoever holds the store cannot hide a call that was sent to a bank and has no end. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeAll, expect, it } from 'vitest';
import { sandgate } from '../cli/run-command.js';
import { folderOfFile } from '../folder.js';
import { openBankBehind } from './bank-behind.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);
const genuine = path('genuine.db');
let key: string;

/** A copy of the store while the second of three calls, a payment that violates a must, waits for the bank. */
beforeAll(async () => {
  let sent = 0;
  let reached: (answer: () => void) => void = () => {};
  const waiting = new Promise<() => void>((resolve) => {
    reached = resolve;
  });
  const behind = await openBankBehind(
    (_, response) => {
      const answer = () => {
        response.setHeader('content-type', 'application/json');
        response.end('{}');
      };
      if (++sent === 2) reached(answer);
      else answer();
    },
    { store: path('recording.db'), stance: 'observe' },
  );
  const { gateway } = behind;
  key = join(gateway.certs, 'evidence.pub');
  const headers = () => ({ 'X-Request-ID': crypto.randomUUID(), 'PSU-IP-Address': '192.0.2.1' });
  const consent = () => gateway.call('/stdgroup/v1/consents/VALID_CONSENT_ID', { headers: headers() });
  await consent();
  const payment = gateway.call('/stdgroup/v1/payments/sepa-credit-transfers', {
    json: {},
    headers: { ...headers(), 'PSU-IP-Address': 'localhost' },
  });
  const answer = await waiting;
  await consent();
  const asJson = { 'Content-Type': 'application/json' };
  await gateway.call('/api/evidence/checkpoint', { side: 'admin', body: '{}', headers: asJson });
  const db = new Sqlite(path('recording.db'));
  db.prepare('VACUUM INTO ?').run(genuine);
  db.close();
  copyFileSync(path('recording.db.key'), `${genuine}.key`);
  answer();
  await payment;
  await behind.close();
});

async function reportOn(store: string) {
  const ours = ['--store', store, '--evidence-key', key];
  await sandgate(['report', 'test', ...ours, '--out', `${store}.json`], { clock: Date.now });
  return JSON.parse(readFileSync(`${store}.json`, 'utf8'));
}

const verify = (report: string, store: string) =>
  sandgate(['verify', report, '--store', store, '--evidence-key', key], { clock: Date.now });

function copyOf(name: string): string {
  copyFileSync(genuine, path(name));
  copyFileSync(`${genuine}.key`, `${path(name)}.key`);
  return path(name);
}

/** An exchange of a session that is none has the id of the call. */
function withGhost(): string {
  const store = copyOf('ghost.db');
  const db = new Sqlite(store);
  const { changes } = db
    .prepare(
      `INSERT INTO exchanges (id, chain, seq, hash, own, shape)
        SELECT id, 4711, 1, hash, own, shape FROM beginnings WHERE id NOT IN (SELECT id FROM exchanges)`,
    )
    .run();
  expect(changes).toBe(1);
  db.close();
  return store;
}

it('is in a witnessed report', async () => {
  const { evidence, head, verdict } = await reportOn(genuine);
  expect([evidence.level, head.recording.exchanges]).toEqual(['witnessed', 3]);
  expect(verdict.tpp.outcome).toBe('must-violated');
  const { status, out } = await verify(`${genuine}.json`, genuine);
  expect(status, out).toBe(0);
});

it('stays in it where an exchange of no session has its id', async () => {
  const store = withGhost();
  const { head, verdict } = await reportOn(store);
  expect([head.recording.exchanges, verdict.tpp.outcome]).toEqual([3, 'must-violated']);
});

it('is missed by verify in a report that leaves it out', async () => {
  const { evidence } = await reportOn(genuine);
  const store = copyOf('without.db');
  const db = new Sqlite(store);
  db.exec('DELETE FROM beginnings WHERE id NOT IN (SELECT id FROM exchanges)');
  db.close();
  const sentence = evidence.sentence.replace('All 3', 'All 2');
  const forged = { ...(await reportOn(store)), evidence: { ...evidence, links: 2, sentence } };
  writeFileSync(path('forged.json'), `${JSON.stringify(forged, null, 2)}\n`);
  const { status, out } = await verify(path('forged.json'), genuine);
  expect(status, out).toBe(1);
  expect(out).toMatch(/The session held 3 exchanges .*; the report tells 2\./);
  expect(out).toMatch(/Exchange \w{11} had no end when the report was made; the report leaves it out\./);
});
