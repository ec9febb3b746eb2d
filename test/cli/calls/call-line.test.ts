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
  ...{ sender: null, reason: null },
  findings: [],
  ...parts,
});
const PAGE = 'http://localhost:8445/exchanges/6H07RRVJ4WX';
const line = (parts: Partial<Brief> = {}, width?: number) =>
  callLine(call(parts), { paint: plain, width, page: PAGE });
const FOUND = {
  worst: 'must' as const,
  reason: 'header Authorization: a token that was never issued; expected one of POST /token',
  findings: [mark('a/waived', 'must', true), mark('b/noted', 'note'), mark('accounts/token-known', 'must')],
};
const FAILED: Partial<Brief> = {
  ...{ method: '', path: '/', status: null, fault: 'handshake', operation: null, source: null },
  ...{ cause: 'The client does not trust the CA.', remedy: 'Give it ca.pem of the folder of certificates.' },
};

describe('a line of a call', () => {
  it('tells time, method, path, status, milliseconds, who answered, the reason with its rule, and id', () => {
    expect(line({ ...FOUND, status: 401 }).replace(/ +/g, ' ')).toBe(
      `15:32:25 GET /accounts 401 3.5 ms emulator must +1 ${FOUND.reason} accounts/token-known 6H07RRVJ4WX\n`,
    );
    expect(line().replace(/ +/g, ' ')).toBe('15:32:25 GET /accounts 200 3.5 ms emulator 6H07RRVJ4WX\n');
  });

  it('says that the gateway sent it itself', () => {
    expect(line({ sender: 'sandgate' }).replace(/ +/g, ' ')).toContain(' emulator by Sandgate 6H07');
  });

  it.each([120, 160])('says why at %d columns, and ends in the id at the right', (width) => {
    expect(line({ ...FOUND, status: 401 }, width)).toMatch(/ must \+1 header Auth.* {2}6H07RRVJ4WX\n$/);
    expect([...line({ ...FOUND, status: 401 }, width)]).toHaveLength(width + 1);
  });

  it.each([40, 80, 119])('says why below the line at %d columns', (width) => {
    const [first, ...below] = line({ ...FOUND, status: 401 }, width).split('\n');
    expect(first).toMatch(/ {2}6H07RRVJ4WX$/);
    for (const one of below) expect(one.length).toBeLessThanOrEqual(width);
    expect(below.join(' ').replace(/ +/g, ' ').trim()).toBe(`${FOUND.reason} accounts/token-known`);
  });

  it('says what a refusal says, where no rule was violated', () => {
    expect(line({ status: 403, reason: 'The consent is not known.' }, 120)).toContain(
      '  The consent is not known.  ',
    );
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
    expect(line(FAILED)).toMatch(/^15:32:25 +no call \(api\) +- +handshake {2}6H07RRVJ4WX/);
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

  it('steers no terminal, whatever was called', () => {
    const text = line({
      method: '\u001b[2J',
      path: '/\u001b]0;x\u0007\r\n/y',
      cause: 'a\u001b[31m\nb',
      reason: '\u001b[2J',
    });
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

  it('take no room, nor does the link from the id to the page', () => {
    const paint = paintFor({ isTTY: true }, {});
    const coloured = callLine(call(FOUND), { paint, width: 100, page: PAGE });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours and link are what is taken out
    expect(coloured.replace(/\u001b(?:\[\d+m|\]8;;.*?\u001b\\)/g, '')).toBe(line(FOUND, 100));
    expect(coloured).toContain(`\u001b]8;;${PAGE}\u001b\\`);
    expect(coloured).not.toBe(line(FOUND, 100));
  });
});
