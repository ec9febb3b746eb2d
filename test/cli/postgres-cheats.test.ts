/** A session that three gateways recorded is told as one, and whoever changes rows of any of its chains is found out. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { aKeyPair, signSession } from '../evidence/signed-session.js';
import { folderOfFile } from '../folder.js';
import { recordedInFile, recordedInSchema } from '../postgres/recorded.js';
import { aSchema, query } from '../postgres/schemas.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const path = (name: string) => join(folder, name);

const file = path('june.db');
const schema = aSchema();
const name = new URL(schema).searchParams.get('schema') ?? '';
const evidence = ['--evidence-key', path('gateway.pub')];
const verify = (...more: readonly string[]) =>
  sandgate(['verify', path('report.json'), '--store', schema, ...evidence, ...more]);

beforeAll(async () => {
  const [gateway, signer] = [aKeyPair(), aKeyPair()];
  writeFileSync(path('gateway.pub'), gateway.publicPem);
  writeFileSync(path('signer.pem'), signer.pem);
  writeFileSync(path('signer.pub'), signer.publicPem);
  recordedInFile(file);
  const checkpoints: string[] = [];
  await recordedInSchema(schema, file, 3, async (store) => {
    checkpoints.push(await signSession(store, { pem: gateway.pem }));
  });
  writeFileSync(path('checkpoints'), checkpoints.join(''));
  const formats = ['--format', 'json,html,markdown', '--out', folder, '--sign', path('signer.pem')];
  const made = await sandgate(['report', 'june', '--store', schema, ...evidence, ...formats]);
  expect(made.err).toBe('');
});

describe('a session of three gateways', () => {
  it('is one report, witnessed in all of its chains', async () => {
    const { head, evidence } = JSON.parse(readFileSync(path('report.json'), 'utf8'));
    expect(head.recording.exchanges).toBe(14);
    expect(evidence).toMatchObject({ level: 'witnessed', chains: [{}, {}, {}] });
    for (const text of ['report.html', 'report.md'].map((one) => readFileSync(path(one), 'utf8')))
      expect(text).toMatch(/3 checkpoints/);
    const outside = ['--checkpoints', path('checkpoints'), '--key', path('signer.pub')];
    const { status, out } = await verify(...outside);
    expect([status, out]).toEqual([0, expect.not.stringMatching(/not checked|FAILED/i)]);
  });

  it('is shown whole, with the end of each chain', async () => {
    const shown = await sandgate(['sessions', 'show', 'june', '--store', schema]);
    expect([shown.status, shown.err]).toEqual([0, '']);
    const [, ...lines] = shown.out.split('\n').filter((line) => /^2026-/.test(line));
    expect(lines).toHaveLength(13);
    expect([...lines].sort()).toEqual(lines);
    const head = await sandgate(['sessions', 'head', 'june', '--store', schema, '--json']);
    expect(JSON.parse(head.out).chains).toHaveLength(3);
  });
});

/** The chain that began as the n-th, and what is of it. */
const row = (n: number) =>
  `id = (SELECT id FROM chains WHERE session = 'june' ORDER BY first_turn OFFSET ${n} LIMIT 1)`;
const chain = (n: number) => row(n).replace('id', 'chain');

const withoutChain = (
  n: number,
) => `DELETE FROM exchanges WHERE ${chain(n)}; DELETE FROM notes WHERE ${chain(n)};
  DELETE FROM chains WHERE ${row(n)}`;
const CUT_OFF = `DELETE FROM exchanges WHERE seq > 4 AND ${chain(1)}; DELETE FROM notes WHERE seq > 4 AND ${chain(1)};
  UPDATE chains SET last = 4, exchanges = 2, head = (SELECT hash FROM exchanges WHERE seq = 4 AND ${chain(1)}) WHERE ${row(1)}`;

/** The entries of each: the record of its beginning, the settings, then exchanges, then the checkpoint. */
const CHEATS: readonly (readonly [cheat: string, sql: string, caught: RegExp])[] = [
  ...[0, 1, 2].map(
    (n) =>
      [
        `an exchange of chain ${n + 1} is changed`,
        `UPDATE exchanges SET own = overlay(own PLACING '[2'::bytea FROM 2) WHERE seq = 4 AND ${chain(n)}`,
        /chain +FAILED[\s\S]*Exchange \w{11} is not as it was recorded/,
      ] as const,
  ),
  ...[0, 1, 2].map(
    (n) =>
      [
        `an exchange of chain ${n + 1} is taken out`,
        `DELETE FROM exchanges WHERE seq = 4 AND ${chain(n)}`,
        /chain +FAILED[\s\S]*(?:1 entry is|entries are) gone before exchange/,
      ] as const,
  ),
  ['the end of a chain is cut off, and its row says so', CUT_OFF, /chain +FAILED/],
  ['a whole chain is taken out', withoutChain(2), /chain +FAILED/],
  [
    'the beginning of a chain is taken out',
    `DELETE FROM exchanges WHERE seq < 5 AND ${chain(2)}; DELETE FROM notes WHERE seq < 5 AND ${chain(2)}`,
    /The record of the beginning of the session is gone/,
  ],
  [
    'the settings of one gateway are changed',
    `UPDATE notes SET settings = replace(settings, 'sandbox', 'production') WHERE ${chain(1)}`,
    /the note “started” \(entry 2\) is not as it was recorded/i,
  ],
  [
    'an exchange is moved into the chain of another gateway',
    `UPDATE exchanges SET chain = (SELECT min(id) FROM chains), seq = 99 WHERE seq = 4 AND ${chain(1)}`,
    /chain +FAILED/,
  ],
  [
    'a chain is said to end with another hash',
    `UPDATE chains SET head = 'x' || head WHERE ${row(0)}`,
    /chain +FAILED/,
  ],
  [
    'the checkpoints are taken out',
    "DELETE FROM notes WHERE kind = 'checkpoint'; UPDATE chains SET last = last - 1",
    /chain +FAILED/,
  ],
];

const TABLES = ['chains', 'notes', 'parts', 'certificates', 'exchanges', 'beginnings'];
const forEach = (statement: (table: string) => string) => TABLES.map(statement).join('; ');

/** Until the test is over. */
const change = (sql: string) =>
  query(
    `SET search_path = "${name}"; ${forEach((table) => `CREATE TABLE kept_${table} AS TABLE ${table}`)}; ${sql}`,
    `SET search_path = "${name}"; ${forEach(
      (table) => `DELETE FROM ${table}; INSERT INTO ${table} TABLE kept_${table}; DROP TABLE kept_${table}`,
    )}`,
  );

/** Rows that who goes along a chain does not come by, or who reads the session does not. */
const UNSEEN: readonly (readonly [cheat: string, sql: string])[] = [
  [
    'chains are said to begin behind what is to be hidden',
    'UPDATE chains SET first_turn = (SELECT max(turn) FROM exchanges WHERE chain = chains.id)',
  ],
  [
    'settings are noted in front of a chain',
    `INSERT INTO notes SELECT chain, -5, 2, hash, at, 'changed', settings FROM notes WHERE kind = 'started' AND ${chain(0)}`,
  ],
];

describe('whoever can write to the store', () => {
  it.each(UNSEEN)('is found out by a report too where %s', async (_, sql) => {
    await change(sql);
    const out = path('unseen.json');
    const made = await sandgate(['report', 'june', '--store', schema, ...evidence, '--out', out]);
    const { level, breaks } = JSON.parse(readFileSync(out, 'utf8')).evidence;
    expect([made.status, level, breaks[0].kind]).toEqual([1, 'broken', 'added']);
    expect((await verify()).status).toBe(1);
  });

  it.each(CHEATS)('is found out where %s', async (_, sql, caught) => {
    await change(sql);
    const { status, out, err } = await verify();
    expect([status, out + err]).toEqual([1, expect.stringMatching(caught)]);
  });

  it.each([0, 1, 2])(
    'is found out where chain %i as a whole is taken out before there is a report',
    async (n) => {
      await change(withoutChain(n));
      const late = path(`late-${n}.json`);
      const formats = ['--format', 'json', '--out', late];
      expect((await sandgate(['report', 'june', '--store', schema, ...evidence, ...formats])).status).toBe(1);
      const { breaks, sentence } = JSON.parse(readFileSync(late, 'utf8')).evidence;
      expect([breaks[0].kind, sentence]).toEqual([
        'chain',
        expect.stringMatching(/^The chain is broken: [5-9]/),
      ]);
      const { status, out } = await sandgate(['verify', late, '--store', schema, ...evidence]);
      expect([status, out]).toEqual([1, expect.stringMatching(/A chain of the session is gone/)]);
    },
  );

  it('is found out where the end of a chain is cut off before there is a report, and its row says so', async () => {
    await change(CUT_OFF);
    const late = path('cut.json');
    await sandgate(['report', 'june', '--store', schema, ...evidence, '--out', late]);
    const { status, out } = await sandgate(['verify', late, '--store', schema, ...evidence]);
    expect([status, out]).toEqual([
      1,
      expect.stringMatching(/not as another one saw it when it had [5-9] entries/),
    ]);
  });

  it('has changed nothing where all is as it was', async () => {
    expect((await verify()).status).toBe(0);
  });
});
