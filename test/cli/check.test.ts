/** `sandgate check` as a user types it. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { buildCassette } from '../../src/exchange/recording/index.js';
import { dialectOf } from '../../src/spec/index.js';
import {
  type AnswerParts,
  aFailedConnection,
  anExchange,
  type CallParts,
  NOW,
  REQUEST_ID,
} from '../builders.js';
import { buildHar } from '../exchange/har/build-har.js';
import { folderOfFile } from '../folder.js';

const folder = folderOfFile();

const meta = { version: '0', session: 'monday', dialect: dialectOf() };

function collect() {
  let text = '';
  const stream = new Writable({
    write(chunk, _, done) {
      text += chunk;
      done();
    },
  });
  return { stream, text: () => text };
}

async function sandgate(args: readonly string[], ...input: (string | Buffer)[]) {
  const [out, err] = [collect(), collect()];
  const status = await run(args, {
    stdin: Readable.from(input.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk))),
    stdout: out.stream,
    stderr: err.stream,
    env: {},
    clock: () => NOW,
    signal: new AbortController().signal,
  });
  return { status, out: out.text(), err: err.text() };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const good = anExchange({
  call: { operation: 'consents.status', params: { consentId: 'VALID_CONSENT_ID' } },
  answer: { body: { consentStatus: 'valid' }, headers: { 'X-Request-ID': REQUEST_ID } },
});
const badDate = (more: CallParts = {}, answer: AnswerParts = {}) =>
  anExchange({
    call: {
      operation: 'consents.create',
      at: NOW + 1_000,
      headers: {
        'X-Request-ID': 'b5e1a5c0-0000-7000-8000-000000000001',
        'TPP-Redirect-URI': 'https://tpp.example/cb',
        'PSU-IP-Address': '192.0.2.1',
      },
      body: {
        access: { allPsd2: 'allAccounts' },
        recurringIndicator: true,
        validUntil: '2026-02-30',
        frequencyPerDay: 4,
        combinedServiceIndicator: false,
      },
      ...more,
    },
    answer: {
      status: 400,
      body: { tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR' }] },
      headers: { 'X-Request-ID': 'b5e1a5c0-0000-7000-8000-000000000001' },
      ...answer,
    },
  });
const har = (...exchanges: ReturnType<typeof anExchange>[]) =>
  [
    ...buildHar(
      exchanges.map((exchange) => ({ exchange })),
      meta,
    ),
  ].join('');
const cassette = (...exchanges: ReturnType<typeof anExchange>[]) =>
  [
    ...buildCassette(
      exchanges.map((exchange) => ({ exchange })),
      meta,
    ),
  ].join('');

describe('sandgate check', () => {
  it('lets traffic pass that complies', async () => {
    const { status, out, err } = await sandgate(['check', file('good.har', har(good))]);
    expect(err).toBe('');
    expect(out).toContain('good.har: 1 call (HAR), judged under profile sandbox.');
    expect(out).toContain('Passed (--fail-on must).');
    expect(status).toBe(0);
  });

  it.each([
    ['bad.har', har(good, badDate())],
    ['bad.json', cassette(good, badDate())],
  ])('finds a violated must in %s, and shows where, why and what to do', async (name, text) => {
    const { status, out } = await sandgate(['check', file(name, text)]);
    expect(status).toBe(1);
    expect(out).toContain('MUST  consents/valid-until-is-a-date  1 finding, the TPP’s');
    expect(out).toContain('  validUntil is a real calendar date YYYY-MM-DD.');
    expect(out).toMatch(/ {2}To do: .+/);
    expect(out).toContain('  Source: specification, Consent request, validUntil');
    expect(out).toContain(
      '    2026-06-15T10:00:01.000Z  POST /stdgroup/v1/consents → 400  X-Request-ID b5e1a5c0-0000-7000-8000-000000000001',
    );
    expect(out).toMatch(/ {6}body validUntil: expected .+, found .*2026-02-30/);
    expect(out).toMatch(/SEVERITY +COMPLIED +VIOLATED +NOT OBSERVED\nmust +\d+ +1 +\d+/);
    expect(out).toContain('Failed (--fail-on must).');
  });

  it('fails on a violated should where it is asked to', async () => {
    const path = file(
      'should.har',
      har(anExchange({ answer: { status: 403, headers: { 'X-Request-ID': REQUEST_ID } } })),
    );
    expect((await sandgate(['check', path])).status).toBe(0);
    const { status, out } = await sandgate(['check', path, '--fail-on', 'should']);
    expect(status).toBe(1);
    expect(out).toContain('SHOULD  answers/error-body  1 finding, the bank’s');
  });

  it.each([
    ['no call', []],
    ['failed connections only', [aFailedConnection()]],
  ])('fails where a file holds %s: a gate that judges nothing would always be open', async (name, held) => {
    const path = file('nothing.har', har(...held));
    const { status, out } = await sandgate(['check', path]);
    expect(out, name).toContain('Failed (--fail-on must): nothing was judged.');
    expect(status).toBe(1);
    expect(JSON.parse((await sandgate(['check', path, '--json'])).out)).toMatchObject({
      isTested: false,
      failed: true,
    });
  });

  it('takes the severities of another profile', async () => {
    const path = file(
      'no-id.har',
      har(anExchange({ call: { headers: { 'X-Request-ID': undefined } }, answer: { status: 408 } })),
    );
    expect((await sandgate(['check', path])).status).toBe(0);
    const { status, out } = await sandgate(['check', path, '--profile', 'production']);
    expect(status).toBe(1);
    expect(out).toContain('MUST  requests/request-id-present');
  });

  it('gives everything as JSON', async () => {
    const path = file('all.har', har(good, badDate()));
    const { status, out } = await sandgate(['check', path, '--json']);
    expect(status).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      file: path,
      format: 'har',
      session: 'monday',
      profile: 'sandbox',
      exchanges: 2,
      failed: true,
      counts: { must: { violated: 1 } },
      findings: [
        {
          rule: 'consents/valid-until-is-a-date',
          severity: 'must',
          judges: 'tpp',
          occurrences: [
            { method: 'POST', path: '/stdgroup/v1/consents', place: 'body validUntil', status: 400 },
          ],
        },
      ],
    });
  });

  it('shows ten findings of a rule, and tells how many more there are', async () => {
    const many = Array.from({ length: 12 }, () => badDate());
    const { out } = await sandgate(['check', file('many.har', har(...many))]);
    expect(out.split('body validUntil:')).toHaveLength(11);
    expect(out).toContain('and 2 more (--json lists them all)');
  });

  it('takes the HAR of a browser: skips the rest, and judges no certificate', async () => {
    const entry = (method: string, url: string, status: number, more: object = {}) => ({
      startedDateTime: new Date(NOW).toISOString(),
      request: { method, url, headers: [{ name: 'x-request-id', value: REQUEST_ID }], ...more },
      response: { status, headers: [], content: { size: 0 } },
    });
    const text = JSON.stringify({
      log: {
        entries: [
          entry('GET', 'https://bank.example/logo.png', 200),
          entry('GET', 'https://other.example/stdgroup/v1/consents/C1', 200),
          entry('GET', 'https://bank.example/stdgroup/v1/consents/C1', 200),
          entry('GET', 'https://bank.example/stdgroup/consents/C1', 200),
        ],
      },
    });
    const { status, out } = await sandgate(['check', file('browser.har', text), '--host', 'bank.example']);
    expect(status).toBe(1);
    expect(out).toContain('browser.har: 2 calls (HAR)');
    expect(out).toContain('Skipped: 1 another path, 1 another host.');
    expect(out).toContain('MUST  answers/body-well-formed');
    expect(out).toContain('MUST  requests/known-path');
    expect(out).toContain('Not observed, because the file does not hold what they need: certificate/* (');
    expect(out).not.toMatch(/(?:MUST|SHOULD) {2}certificate/);
  });

  it('finds across calls of a foreign HAR that the verifier is not that of the challenge', async () => {
    const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();
    const query = new URLSearchParams({
      scope: 'AIS:VALID_CONSENT_ID',
      client_id: 'VALID_CLIENT_ID',
      state: 'S8NJ7uqk5fY4EjNvP_G_FtyJu6pUsvH9jsYni9dMAJw',
      redirect_uri: 'https://tpp.example/cb',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      response_type: 'code',
    });
    const back = `https://tpp.example/cb?code=AIS_VALID_CODE&state=${query.get('state')}`;
    const token = (verifier: string) => ({
      startedDateTime: at(2),
      request: {
        method: 'POST',
        url: 'https://bank.example/stdgroup/v1/token',
        headers: [{ name: 'content-type', value: 'application/x-www-form-urlencoded' }],
        postData: {
          mimeType: 'application/x-www-form-urlencoded',
          params: Object.entries({
            grant_type: 'authorization_code',
            client_id: 'VALID_CLIENT_ID',
            code: 'AIS_VALID_CODE',
            code_verifier: verifier,
          }).map(([name, value]) => ({ name, value })),
        },
      },
      response: { status: 400, headers: [], content: { size: 0 } },
    });
    const authorize = {
      startedDateTime: at(1),
      request: {
        method: 'GET',
        url: `https://bank.example/stdgroup/authorization/authorize/22222222-2222-2222-2222-222222222222?${query}`,
        headers: [],
      },
      response: { status: 302, headers: [{ name: 'location', value: back }], content: { size: 0 } },
    };
    const check = async (verifier: string) =>
      JSON.parse(
        (
          await sandgate(
            ['check', '-', '--json'],
            JSON.stringify({ log: { entries: [authorize, token(verifier)] } }),
          )
        ).out,
      ).findings.map(({ rule }: { rule: string }) => rule);
    expect(await check('x'.repeat(43))).toContain('oauth/verifier-matches-challenge');
    expect(await check('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).not.toContain(
      'oauth/verifier-matches-challenge',
    );
  });

  it('shows no secret of the file, and nothing that steers the terminal', async () => {
    const secret = 'a-secret-token-that-nobody-may-see';
    const exchange = anExchange({
      call: {
        operation: 'accounts.list',
        headers: { Authorization: `Bearer ${secret}`, 'Consent-Id': 'C\u001b[2J1' },
      },
      answer: { status: 200, body: { accounts: 'x' } },
    });
    const text = await sandgate(['check', file('secret.har', har(exchange))]);
    const json = await sandgate(['check', file('secret.har', har(exchange)), '--json']);
    expect(text.out + json.out).not.toContain(secret);
    expect(text.out).not.toContain('\u001b');
  });

  it('honours the rules and waivers of a settings file', async () => {
    const path = file('waived.har', har(badDate()));
    const waiver = {
      rule: 'consents/valid-until-is-a-date',
      reason: 'Known, ticket 12.',
      until: '2026-07-01',
    };
    const config = file('waived.config.json', JSON.stringify({ waivers: [waiver] }));
    const { status, out } = await sandgate(['check', path, '--config', config]);
    expect(status).toBe(0);
    expect(out).toContain('waived: Known, ticket 12.');
  });

  it.each([
    [
      ['check', join(folder, 'none.har')],
      /^\S+none\.har cannot be read: there is no such file; check its path\.\n$/,
    ],
    [['check', folder], /^\S+ cannot be read: it is a folder; give a file in it\.\n$/],
    [
      ['check', file('broken.har', '{"log":{"entries":[1,]}}')],
      /^\S+broken\.har is not JSON: line 1, column 22 cannot be read\.\n$/,
    ],
    [
      ['check', file('other.json', '{}')],
      /^\S+other\.json is neither a HAR nor a cassette file: give a HAR that a browser or a proxy saved/,
    ],
    [
      ['check', file('shape.har', '{"log":{"entries":[{"request":{"url":"https://x"}}]}}')],
      /^\S+shape\.har cannot be read at log\.entries\[0\]\.request\.method: it is missing; a text is expected\.\n$/,
    ],
    [['check', '-'], /^Standard input is empty: give another one\.\n$/],
    [['check'], /missing required argument/],
    [['check', 'x.har', '--fail-on', 'note'], /Allowed choices are must, should/],
  ])('ends with status 2 and one sentence: %j', async (args, sentence) => {
    const { status, out, err } = await sandgate(args);
    expect(err).toMatch(sentence);
    expect([status, out]).toEqual([2, '']);
  });
});

describe('a file without end', () => {
  const commands = [['check'], ['scan'], ['sessions', 'import']];

  it.each(commands)('is read up to a limit by %j', async (...command) => {
    const { status, err } = await sandgate([...command, '/dev/zero']);
    expect([status, err]).toEqual([2, '/dev/zero is larger than 512 MiB: split it.\n']);
  });

  it.each(commands)('is read up to a limit from standard input by %j', async (...command) => {
    const chunks = Array<Buffer>(513).fill(Buffer.alloc(1_048_576));
    const { status, err } = await sandgate([...command, '-'], ...chunks);
    expect([status, err]).toEqual([2, 'Standard input is larger than 512 MiB: split it.\n']);
  });
});
