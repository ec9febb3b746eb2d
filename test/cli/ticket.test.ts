/** `sandgate ticket`: a text for the bank's support. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderTicket } from '../../src/report/index.js';
import { createSqliteStore, type RecordedExchange } from '../../src/store/index.js';
import { TPP } from '../builders.js';
import { folderOfFile } from '../folder.js';
import { record, type Sent, VALID } from '../report/a-recording.js';
import { CONSENT } from '../rules/ledger-of.js';
import { sandgate } from './run-command.js';

const folder = folderOfFile();
const store = join(folder, 'sandgate.db');

const wrong: Sent = {
  call: {
    operation: 'consents.status',
    params: { consentId: CONSENT },
    headers: { Authorization: 'Bearer clear-token-000001' },
  },
  answer: { body: { consentStatus: 'active` **x** <b>' }, headers: { 'X-Request-ID': 'another' } },
};
const noAnswer: Sent = {
  call: { operation: 'consents.status', params: { consentId: CONSENT } },
  answer: null,
  with: { fault: { kind: 'timeout', message: 'The bank did not answer in 30 s.' } },
};
/** Of a client without a certificate, with a fault of either side. */
const lacking: Sent = {
  call: { ...noAnswer.call, certificate: 'absent' },
  answer: { body: {} },
};
const answeredBy = (source: 'gateway' | 'emulator', status: number): Sent => ({
  call: noAnswer.call,
  answer: { source, status },
});
/** At the end of the session. */
const [REFUSED, UNREACHED, EMULATED] = [-3, -2, -1];
let records: RecordedExchange[];

beforeAll(() => {
  const opened = createSqliteStore({ path: store });
  records = record(opened, [
    ...[...VALID, wrong, noAnswer, lacking],
    ...[answeredBy('gateway', 413), answeredBy('gateway', 502), answeredBy('emulator', 200)],
  ]);
  opened.close();
});
const ticket = (place: number, ...args: string[]) =>
  sandgate(['ticket', records.at(place)?.exchange.call.id ?? '', '--store', store, ...args]);

describe('a ticket', () => {
  it('tells what was asked, what came, the clause, the ids and times', async () => {
    const { status, out } = await ticket(VALID.length);
    expect(status).toBe(0);
    expect((await ticket(VALID.length, '--out', '-')).out).toBe(out);
    expect(out).toMatch(/^# GET \/stdgroup\/v1\/consents\/.*: HTTP 200, 2 deviations/);
    expect(out).toContain('- X-Request-ID: `99391c7e-ad88-49ec-a2ad-000000000014`');
    expect(out).toMatch(/- Time \(UTC\): `2026-06-15T10:00:30\.000Z`/);
    expect(out).toContain(`- TPP: \`${TPP}\``);
    expect(out).toContain('which the bank took 10.0 ms');
    expect(out).toMatch(/consentStatus is one of the specification's.*`answers\/consent-status-known`/);
    expect(out).toContain('Specification, ');
    expect(out).toContain('X-Request-ID of the call is echoed');
  });

  it('holds no secret, and nothing recorded is markup in it', async () => {
    const { out } = await ticket(VALID.length);
    expect(out).not.toContain('clear-token');
    expect(out).toContain('Bearer fp_');
    const outside = out.replace(/^(`{3,})\n[\s\S]*?\n\1$/gm, '').replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '');
    expect(outside).not.toContain('<b>');
    expect(outside).not.toContain('**x**');
  });

  it('says that no answer came, and why', async () => {
    const { out } = await ticket(VALID.length + 1);
    expect(out).toMatch(/^# .*: no answer\n/);
    expect(out).toContain('- Fault: `timeout: The bank did not answer in 30 s.`');
    expect(out).toContain('## The answer\n\nNo answer.');
  });

  it('says of what is absent that there was none', async () => {
    const [record] = records.slice(VALID.length + 2) as [RecordedExchange];
    const findings = record.findings.map(({ actual: _, ...finding }) => finding);
    const out = renderTicket({ ...record, findings }, []);
    expect(out).toContain('- TPP: `no certificate was presented`\n- TPP’s certificate: `none`');
    const [bank = '', own = ''] = out
      .slice(out.indexOf('## What was'))
      .split('## Violations in our own request');
    expect(bank).toMatch(/expected `[^`]+`, found `nothing`$/m);
    expect(own).toMatch(/: expected [^`]+, found nothing`$/m);
  });

  it('goes into a file where asked', async () => {
    const file = join(folder, 'ticket.md');
    const { out } = await ticket(0, '--out', file);
    expect(out).toBe(`Written: ${file}.\n`);
    expect(readFileSync(file, 'utf8')).toBe((await ticket(0)).out);
  });

  it('is none where the gateway took the call no further, and is one where it could not reach the bank', async () => {
    expect(await ticket(REFUSED)).toMatchObject({
      status: 2,
      err: expect.stringContaining('The bank has not seen the call'),
    });
    expect((await ticket(UNREACHED)).out).toContain('of which the bank took 10.0 ms');
  });

  it('calls no emulator a bank', async () => {
    const { out } = await ticket(EMULATED);
    expect(out).toContain('- Answered after: `12.5 ms, of which the built-in emulator took 10.0 ms`');
    expect(out).not.toContain('the bank took');
  });

  it('of an exchange that is not there is told', async () => {
    const { status, err } = await sandgate(['ticket', 'NOSUCH', '--store', store]);
    expect(status).toBe(2);
    expect(err).toContain('holds no exchange NOSUCH');
  });
});
