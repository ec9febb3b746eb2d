/** A call as a line: what it tells, how it is cut, and when it is coloured. */
import { describe, expect, it } from 'vitest';
import type { Brief } from '../../../src/admin/exchanges/index.js';
import { callJson, callLine, paintFor, plain } from '../../../src/cli/calls/call-line.js';

const mark = (rule: string, severity: 'must' | 'should' | 'note', waived = false) => ({
  ...{ rule, severity, judges: 'tpp' as const, place: 'path', waived },
});
const call = (parts: Partial<Brief> = {}): Brief => ({
  ...{ id: '6H07RRVJ4WX', at: '2026-11-22T15:32:25.104Z', session: 'test', listener: 'api' },
  ...{ method: 'GET', path: '/stdgroup/v1/accounts', operation: 'accounts.list', status: 200, ms: 3.49 },
  ...{ source: 'emulator', tpp: null, fault: null, cause: null, remedy: null, injected: null, worst: null },
  findings: [],
  ...parts,
});
const PAGE = 'http://localhost:8445/exchanges/6H07RRVJ4WX';
const line = (parts: Partial<Brief> = {}, width?: number) =>
  callLine(call(parts), { paint: plain, width, page: PAGE });
const FOUND = {
  worst: 'must' as const,
  findings: [mark('a/waived', 'must', true), mark('b/noted', 'note'), mark('accounts/token-known', 'must')],
};
const FAILED: Partial<Brief> = {
  ...{ method: '', path: '/', status: null, fault: 'handshake', operation: null, source: null },
  ...{ cause: 'The client does not trust the CA.', remedy: 'Give it ca.pem of the folder of certificates.' },
};

describe('a line of a call', () => {
  it('tells time, method, path, status, milliseconds, worst finding and address', () => {
    expect(line({ ...FOUND, status: 401 }).replace(/ +/g, ' ')).toBe(
      `15:32:25 GET /accounts 401 3.5 ms must accounts/token-known +1 ${PAGE}\n`,
    );
    expect(line().replace(/ +/g, ' ')).toBe(`15:32:25 GET /accounts 200 3.5 ms ${PAGE}\n`);
  });

  it('shortens the ids of a path, and no word of it', () => {
    const path = '/stdgroup/v1/funds-confirmations/3dc3d5b3-7023-4848-9853-f5400a64e80f/status';
    expect(line({ path })).toContain(' /funds-confirmations/3dc3d5b3…/status ');
  });

  it('tells what failed and what to do, where there was no call', () => {
    expect(line(FAILED).split('\n').slice(1)).toEqual([
      '         The client does not trust the CA. Give it ca.pem of the folder of certificates.',
      '',
    ]);
    expect(line(FAILED)).toMatch(/^15:32:25 +no call \(api\) +- +handshake {2}http/);
  });

  it.each([20, 40, 60, 80, 100, 119, 120, 160, 250])('fits into %d columns', (width) => {
    const path = `/stdgroup/v1/${'accounts/'.repeat(20)}`;
    for (const parts of [{ ...FOUND, path }, { ...FOUND }, FAILED, {}])
      for (const one of line(parts, width).split('\n').slice(0, 1))
        expect([...one].length).toBeLessThanOrEqual(width);
  });

  it('tells a remedy in as many lines as it needs', () => {
    for (const one of line(FAILED, 60).split('\n')) expect(one.length).toBeLessThanOrEqual(60);
    expect(line(FAILED, 60).replace(/\s+/g, ' ')).toContain(`${FAILED.cause} ${FAILED.remedy}`);
  });

  it('ends in an address that is whole, or in the id where there is no room for it', () => {
    const path = `/stdgroup/v1/${'accounts/'.repeat(20)}`;
    expect(line({ ...FOUND, path }, 120)).toMatch(new RegExp(`${PAGE}\n$`));
    expect(line({ ...FOUND, path }, 80)).toMatch(/ {2}6H07RRVJ4WX\n$/);
  });

  it('steers no terminal, whatever was called', () => {
    const text = line({ method: '\u001b[2J', path: '/\u001b]0;x\u0007\r\n/y', cause: 'a\u001b[31m\nb' });
    for (const sign of ['\u001b', '\u0007', '\r']) expect(text).not.toContain(sign);
    expect(text.split('\n')).toHaveLength(3);
  });

  it('is JSON for programs, with the address as report', () => {
    expect(JSON.parse(callJson(call(), PAGE))).toEqual({ ...call(), report: PAGE });
  });
});

describe('colours', () => {
  const isColoured = (isTTY: boolean, env: Record<string, string>) =>
    paintFor({ isTTY }, env)('x', 'red') !== 'x';
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { TERM: 'dumb' }, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ] as const)('of a terminal (%s) with %j: %s', (isTTY, env, expected) => {
    expect(isColoured(isTTY, env)).toBe(expected);
  });

  it('take no room', () => {
    const paint = paintFor({ isTTY: true }, {});
    const coloured = callLine(call(FOUND), { paint, width: 100, page: PAGE });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours are what is taken out
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(line(FOUND, 100));
    expect(coloured).not.toBe(line(FOUND, 100));
  });
});
