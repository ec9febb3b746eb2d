/** Whoever holds the store changes what the links do not hold, or what two queries see otherwise. */
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { sandgate } from '../cli/run-command.js';
import { folderOfFile } from '../folder.js';
import { startTestGateway } from './harness.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);
const genuine = path('genuine.db');
let key: string;

const WAIVER = { rule: 'requests/psu-ip-address-valid', reason: 'Never mind.', until: '2099-12-31' };

/** A violation, and one that a waiver covers; then the gateway is started again under another profile. */
beforeAll(async () => {
  const first = await startTestGateway({ store: genuine, stance: 'observe' });
  key = join(first.certs, 'evidence.pub');
  const violate = (gateway: typeof first) =>
    gateway.call('/stdgroup/v1/consents/VALID_CONSENT_ID', { headers: { 'PSU-IP-Address': 'localhost' } });
  await violate(first);
  const headers = { 'Content-Type': 'application/json' };
  await first.call('/api/waivers', { side: 'admin', json: WAIVER, headers });
  await violate(first);
  await first.close();
  const second = await startTestGateway({ store: genuine, profile: 'production', stance: 'observe' });
  await violate(second);
  await second.close();
});

let made = 0;

async function attacked(attack: (db: Sqlite.Database) => void) {
  const store = path(`attacked-${++made}.db`);
  copyFileSync(genuine, store);
  copyFileSync(`${genuine}.key`, `${store}.key`);
  const db = new Sqlite(store);
  db.unsafeMode(true);
  attack(db);
  db.close();
  const ours = ['--store', store, '--evidence-key', key];
  const clock = Date.now;
  const said = await sandgate(['report', 'test', ...ours, '--out', `${store}.json`], { clock });
  const verified = await sandgate(['verify', `${store}.json`, ...ours], { clock });
  const { level } = JSON.parse(readFileSync(`${store}.json`, 'utf8')).evidence;
  return { level, status: [said.status, verified.status], out: verified.out };
}

const BROKEN = { level: 'broken', status: [1, 1] };
const asBytes = (where: string) => `UPDATE notes SET kind = CAST(kind AS BLOB) WHERE ${where}`;

it('a session that nobody touched is witnessed', async () => {
  expect(await attacked(() => {})).toMatchObject({ level: 'witnessed', status: [0, 0] });
});

describe('a note that reads the same, and is not found any more', () => {
  it.each(['started', 'changed', 'checkpoint'])('is found changed: %s', async (kind) => {
    const { out, ...said } = await attacked((db) => db.exec(asBytes(`kind = '${kind}'`)));
    expect(said).toEqual(BROKEN);
    expect(out).toContain(`The note “${kind}”`);
  });

  it('is found changed where its time became a text', async () => {
    const said = await attacked((db) => {
      db.pragma('writable_schema = ON');
      db.exec("UPDATE sqlite_schema SET sql = replace(sql, 'at INTEGER', 'at') WHERE name = 'notes'");
      db.pragma('writable_schema = RESET');
      db.exec("UPDATE notes SET at = CAST(at AS TEXT) WHERE kind = 'changed'");
    });
    expect(said).toMatchObject(BROKEN);
  });
});

describe('what orders entries', () => {
  it.each(['notes', 'exchanges'])('is given to no chain that has no order but its own: %s', async (table) => {
    expect(await attacked((db) => db.exec(`UPDATE ${table} SET turn = 1000 - seq`))).toMatchObject(BROKEN);
  });
});

it('a session whose name reads the same, and is not found any more, is no empty one', async () => {
  const store = path('name.db');
  copyFileSync(genuine, store);
  copyFileSync(`${genuine}.key`, `${store}.key`);
  const db = new Sqlite(store);
  db.exec('UPDATE chains SET session = CAST(session AS BLOB)');
  db.close();
  const { status, err } = await sandgate(['report', 'test', '--store', store], { clock: Date.now });
  expect([status, err]).toEqual([2, expect.stringContaining('test')]);
});

it('no second chain passes for the one that was signed', async () => {
  const said = await attacked((db) => {
    const rows = db.prepare('SELECT at, kind, settings FROM notes ORDER BY seq LIMIT 2').all();
    const [created, started] = rows as { at: number; kind: string; settings: string }[];
    if (created === undefined || started === undefined) throw new Error('The session has no beginning.');
    started.settings = JSON.stringify({ ...JSON.parse(started.settings), waivers: [WAIVER] });
    const insert = db.prepare(
      'INSERT INTO notes (chain, seq, turn, hash, at, kind, settings) VALUES (0, ?, ?, ?, ?, ?, ?)',
    );
    let link = '';
    for (const [i, { at, kind, settings }] of [created, started].entries()) {
      const text = `note\n${link}\n${i + 1}\n${at}\n${kind.length}:${kind}\n4:test\n${settings}`;
      link = createHash('sha256').update(text).digest('base64url');
      insert.run(i + 1, i, link, at, kind, settings);
    }
    db.prepare(
      `INSERT INTO chains (id, session, started_at, last_at, last, head, store, first_turn, turn)
        SELECT 0, session, started_at, ?, 2, ?, (SELECT store FROM identity), 0, 1 FROM chains`,
    ).run(started.at, link);
  });
  expect(said).toMatchObject(BROKEN);
});
