/** The curl line of a recorded request: a shell reads back exactly what was recorded, and runs nothing else. */

import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { curlLine, fetchCode } from '../../src/report/code.js';
import { aCall, anExchange, type CallParts, fingerprint } from '../builders.js';

/** The arguments that curl would get. */
function argumentsOf(parts: CallParts, env: Record<string, string> = {}): string[] {
  const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n${curlLine(aCall(parts))}`;
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('a curl line', () => {
  it('sends method, headers, body and address again', () => {
    const parts = { operation: 'consents.create', body: { a: "it's" }, headers: { 'X-Empty': '' } } as const;
    expect(argumentsOf(parts)).toEqual([
      ...['-sSgi', '-X', 'POST', '--cacert', 'certs/ca.pem'],
      ...['--cert', 'certs/tpp.pem', '--key', 'certs/tpp.key'],
      ...['-H', 'X-Request-ID: 99391c7e-ad88-49ec-a2ad-99ddcb1f7721', '-H', 'Content-Type: application/json'],
      ...['-H', 'X-Empty;', '--data-raw', '{"a":"it\'s"}', 'https://localhost:8443/stdgroup/v1/consents'],
    ]);
  });

  it('sends a body as it is shown, not as it was coded', () => {
    const parts = {
      operation: 'consents.create',
      body: {},
      headers: { 'Content-Encoding': 'gzip' },
    } as const;
    expect(argumentsOf(parts).join(' ')).not.toMatch(/encoding/i);
  });

  it('takes secrets from variables, by their names', () => {
    const form = {
      grant_type: 'authorization_code',
      code: fingerprint('c'),
      code_verifier: fingerprint('v'),
    };
    const headers = { Authorization: `Bearer ${fingerprint('t')}` };
    const env = { ACCESS_TOKEN: 'T', CODE: 'C', CODE_VERIFIER: 'V' };
    const given = argumentsOf({ operation: 'oauth.token', form, headers }, env);
    expect(given).toContain('Authorization: Bearer T');
    expect(given).toContain('grant_type=authorization_code&code=C&code_verifier=V');
  });

  it('presents a certificate where one was', () => {
    expect(argumentsOf({ certificate: 'absent' })).not.toContain('--cert');
    expect(argumentsOf({ operation: 'oauth.authorize' })).not.toContain('--cert');
    expect(argumentsOf({ connection: { address: '::1', tls: null } }).at(-1)).toMatch(/^http:/);
  });

  it('leaves out a header that curl would read from a file', () => {
    const headerList = [['@/etc/passwd', 'x'] as const, ['X-Fine', '@y'] as const];
    const given = argumentsOf({ headerList });
    expect(given.join('\n')).not.toContain('/etc/passwd');
    expect(given).toContain('X-Fine: @y');
  });

  it('of hostile values is one command with these values', () => {
    const hostile = fc.string({
      unit: fc.constantFrom(
        "'",
        '"',
        '\\',
        '$',
        '(',
        ')',
        '`',
        ' ',
        ';',
        '&',
        '|',
        '\n',
        '!',
        '*',
        '~',
        'a',
        '-',
      ),
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(hostile, hostile, (value, body) => {
        const given = argumentsOf({ operation: 'consents.create', headerList: [['X-Note', value]], body });
        expect(given).toContain(`X-Note: ${value}`);
        expect(given[given.indexOf('--data-raw') + 1]).toBe(body);
      }),
      { numRuns: 60 },
    );
  });
});

/** What the code would send: run with a fetch and files of the test's own. */
async function sentBy(
  code: string,
  env: Record<string, string>,
): Promise<{ url: string; options: RequestInit }> {
  const body = code.replace(/^import .*$/gm, '');
  const run = new Function(
    'fetch',
    'Agent',
    'readFileSync',
    'console',
    'process',
    `return (async () => {${body}})()`,
  );
  let sent: { url: string; options: RequestInit } | undefined;
  const fetch = async (url: string, options: RequestInit) => {
    sent = { url, options };
    return { status: 200, text: async () => '' };
  };
  await run(fetch, class {}, () => '', { log: () => {} }, { env });
  return sent ?? expect.fail('nothing was sent');
}

describe('code with fetch', () => {
  it('sends method, headers, body and address again, and takes secrets from the environment', async () => {
    const headers = { Authorization: `Bearer ${fingerprint('t')}` };
    const exchange = anExchange({ call: { operation: 'consents.create', body: { a: "it's" }, headers } });
    const { url, options } = await sentBy(fetchCode(exchange), { ACCESS_TOKEN: 'T' });
    expect([url, options.method, options.body]).toEqual([
      'https://localhost:8443/stdgroup/v1/consents',
      'POST',
      '{"a":"it\'s"}',
    ]);
    expect(options.headers).toContainEqual(['Authorization', 'Bearer T']);
  });

  it('of hostile values is one call with these values', async () => {
    const hostile = fc.string({
      unit: fc.constantFrom(
        "'",
        '"',
        '\\',
        '$',
        '{',
        '}',
        '`',
        '\n',
        '\u2028',
        '/',
        '*',
        fingerprint('s'),
        'a',
      ),
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (value, body) => {
        const call = {
          operation: 'consents.create',
          headerList: [['X-Note', value] as const],
          body,
        } as const;
        const secret = (text: string) => text.replaceAll(/fp_[\w-]{22}(?![\w-])/g, 'S');
        const env = new Proxy({}, { get: () => 'S' });
        const { options } = await sentBy(fetchCode(anExchange({ call })), env);
        expect(options.headers).toEqual([['X-Note', secret(value)]]);
        expect(options.body).toBe(secret(body));
      }),
    );
  });
});
