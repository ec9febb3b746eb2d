/** The curl line of a recorded request: a shell reads back exactly what was recorded, and runs nothing else. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { curlLine } from '../../src/report/code/curl.js';
import { aCall, type CallParts, fingerprint } from '../builders.js';

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
