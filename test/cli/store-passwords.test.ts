/** A password in the address of a store is printed by no command, however the address is mistyped. */
import { describe, expect, it } from 'vitest';
import { storeName } from '../../src/store/index.js';
import { testCertificates } from '../e2e/harness.js';
import { sandgate } from './run-command.js';

const PASSWORD = 'Pw-0f-the-store';
const HOST = '127.0.0.1:1';
const MISTYPED = [
  `postgres://user:${PASSWORD}@${HOST}/x`,
  `postgres:/user:${PASSWORD}@${HOST}/x`,
  `postgres:user:${PASSWORD}@${HOST}/x`,
  `postgres:///user:${PASSWORD}@${HOST}/x`,
  `postgres:user:${PASSWORD}`,
  `postgres://user:${PASSWORD}`,
  `postgres://${PASSWORD}@/x`,
  `postgres://user:a/${PASSWORD}@${HOST}/x`,
  `postgres://user:a@${PASSWORD}@${HOST}/x`,
  `postgresql+tcp:/user:${PASSWORD}@${HOST}/x`,
  `mysql://user:${PASSWORD}@${HOST}/x`,
  `mysql:/user:${PASSWORD}@${HOST}/x`,
  `mysql:user:${PASSWORD}@${HOST}/x`,
  `jdbc:postgresql://user:${PASSWORD}@${HOST}/x`,
  `jdbc:postgresql://${HOST}/x?user=user&password=${PASSWORD}`,
  `postgres://user@${HOST}/x?PASSWORD=${PASSWORD}`,
  `file://user:${PASSWORD}@${HOST}/x`,
  ` postgres://user:${PASSWORD}@${HOST}/x`,
  `"postgres:/user:${PASSWORD}@${HOST}/x"`,
];

describe.each(MISTYPED)('of --store %s no password is printed', (store) => {
  it.each([
    ['serve', ['serve', '--json']],
    ['serve --print-config', ['serve', '--print-config']],
    ['serve --print-config --json', ['serve', '--print-config', '--json']],
    ['report', ['report']],
    ['sessions', ['sessions', 'list']],
    ['doctor', ['doctor']],
  ])('by %s', async (_, args) => {
    const certs = /^(?:serve|doctor)$/.test(args[0] ?? '') ? ['--certs', await testCertificates()] : [];
    const { out, err } = await sandgate([...args, '--store', store, ...certs]);
    expect(out + err).not.toBe('');
    expect(out + err).not.toContain(PASSWORD);
  });
});

/** What has no scheme is a file to the commands: nobody has made it yet. */
it.each([
  `u:${PASSWORD}@${HOST}/x`,
  `postgres//user:${PASSWORD}@${HOST}/x`,
  `host=127.0.0.1 user=user password=${PASSWORD} dbname=x`,
  `PGPASSWORD=${PASSWORD} postgres://user@${HOST}/x`,
])('of --store %s, which names a file, doctor prints no password', async (store) => {
  const { out, err } = await sandgate(['doctor', '--store', store, '--certs', await testCertificates()]);
  expect(out).toContain('does not exist yet');
  expect(out + err).not.toContain(PASSWORD);
});

it.each([
  ['postgres://user:pw@host:5433/db?schema=x', 'postgres://user@host:5433/db?schema=x'],
  ['postgres://user@host/db', 'postgres://user@host/db'],
  ['postgres://[::1]:5432/db', 'postgres://[::1]:5432/db'],
  ['postgres://host:5432/db', 'postgres://host:5432/db'],
  ['postgres:/user:pw@host/db', 'postgres:/…@host/db'],
  ['mysql://user:pw@host/db', 'mysql://user@host/db'],
  ['data/sandgate.sqlite', 'data/sandgate.sqlite'],
  ['C:\\data\\sandgate.sqlite', 'C:\\data\\sandgate.sqlite'],
  ['file:/data/team@home/sandgate.sqlite', 'file:/data/team@home/sandgate.sqlite'],
  ['2026-06-15T10:00:00Z', '2026-06-15T10:00:00Z'],
])('%s is shown as %s', (address, shown) => {
  expect(storeName(address)).toBe(shown);
});
