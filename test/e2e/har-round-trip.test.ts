/** Foreign HAR files say the same after import and export. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { sandgate } from '../cli/run-command.js';
import { temporaryFolder } from './child.js';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const NOW = Date.UTC(2026, 10, 23);
const clock = () => NOW;
const BANK = 'https://localhost:18443';

interface Entry {
  startedDateTime: string;
  request: { method: string; url: string; headers: { name: string; value: string }[]; postData?: unknown };
  response: { status: number };
}

/** Changes the entries of a fixture, as another set-up of the same program would have written them. */
const variant = (name: string, change: (entries: Entry[]) => void) => {
  const har = JSON.parse(readFileSync(fixture(name), 'utf8'));
  change(har.log.entries);
  const file = join(folder, `${name}-variant.har`);
  writeFileSync(file, JSON.stringify(har));
  return file;
};
const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/har/${name}.har`, import.meta.url));

const throughProxy = (entries: Entry[]) => {
  for (const { request } of entries) {
    request.headers = request.headers.filter(({ name }) => name.toLowerCase() !== 'host');
    request.headers.push({ name: 'Host', value: 'localhost:60123' });
  }
};
const withNotification = (entries: Entry[]) => {
  const [, known] = entries;
  if (known === undefined) throw new Error('The fixture has no entry to copy.');
  const body = {
    paymentId: 'PAYMENT_ID_ACSC_SCT',
    tppNotificationUri: 'https://tpp.example/n',
    status: 'ACSC',
  };
  const url = new URL('/internal/stdgroup/authorization/v1/tpp/notify', known.request.url).href;
  const postData = { mimeType: 'application/json', text: JSON.stringify(body) };
  entries.push({
    ...known,
    request: { ...known.request, method: 'POST', url, postData },
    response: { ...known.response, status: 202 },
  });
};

const FILES: readonly (readonly [string, () => string])[] = [
  ...['mitmproxy-reverse', 'chromium', 'mitmproxy', 'chrome-devtools', 'charles'].map(
    (name) => [`the HAR ${name}`, () => fixture(name)] as const,
  ),
  ['a HAR in the shape of Charles, in reverse mode', () => variant('charles', throughProxy)],
  ['a HAR that asks for a notification elsewhere', () => variant('mitmproxy-reverse', withNotification)],
];

/** What `check` says of a file, without the ids that an import gives. */
async function verdictsOf(file: string, ...more: string[]) {
  const { status, out, err } = await sandgate(['check', file, '--json', ...more], { clock });
  expect(err).toBe('');
  const { counts, findings, notObserved, exchanges } = JSON.parse(out);
  const bare = findings.map(({ rule, occurrences }: { rule: string; occurrences: object[] }) => ({
    rule,
    occurrences: occurrences.map((one) => ({ ...one, exchange: '' })),
  }));
  return { status, exchanges, counts, notObserved, findings: bare };
}

describe.each(FILES)('%s', (title, file) => {
  const own = join(folder, title.replaceAll(/\W+/g, '-'));
  mkdirSync(own);
  const store = ['--store', join(own, 'store.db')];
  const run = async (...args: string[]) => {
    const { status, err } = await sandgate([...args, ...store], { clock });
    expect([status, err]).toEqual([0, '']);
  };

  it('has the same verdicts before import, after export, and after another turn, as HAR and cassette', async () => {
    const before = await verdictsOf(file());
    await run('sessions', 'import', file(), '--session', 'first');
    for (const format of ['har', 'json']) {
      const [out, again] = [join(own, `first.${format}`), join(own, `second.${format}`)];
      const verdicts = format === 'json' ? ['--verdicts'] : [];
      await run('sessions', 'export', 'first', '--out', out, ...verdicts);
      expect(await verdictsOf(out)).toEqual(before);
      await run('sessions', 'import', out, '--session', `second-${format}`);
      await run('sessions', 'export', `second-${format}`, '--out', again, ...verdicts);
      expect(await verdictsOf(again)).toEqual(before);
    }
  });

  it('has the same findings in the report of its session, judged as imported or again', async () => {
    const findings = async (...args: string[]) => {
      const { out } = await sandgate(['report', ...args, '--format', 'json', ...store], { clock });
      const report = JSON.parse(out);
      return report.findings.map(({ rule, count }: { rule: string; count: number }) => [rule, count]);
    };
    expect(await findings('first')).toEqual(await findings(file()));
    const production = ['--profile', 'production'];
    expect(await findings('first', ...production)).toEqual(await findings(file(), ...production));
  });
});

describe('the import of a HAR of others', () => {
  const store = ['--store', join(folder, 'import.db')];
  const out = join(folder, 'out.har');
  const entries = (file: string): Entry[] => JSON.parse(readFileSync(file, 'utf8')).log.entries;

  it('keeps the address of the bank, also where a proxy was called by another name', async () => {
    await sandgate(['sessions', 'import', fixture('mitmproxy-reverse'), '--session', 'shop', ...store], {
      clock,
    });
    await sandgate(['sessions', 'export', 'shop', '--out', out, ...store], { clock });
    expect(entries(out).map(({ request }) => request.url)).toEqual(
      entries(fixture('mitmproxy-reverse')).map(({ request }) => request.url),
    );
    expect((await verdictsOf(out, '--host', 'localhost:18443')).exchanges).toBe(13);
    const cassette = join(folder, 'out.json');
    await sandgate(['sessions', 'export', 'shop', '--out', cassette, ...store], { clock });
    expect((await verdictsOf(cassette, '--host', 'localhost:18443')).exchanges).toBe(13);
    expect(JSON.parse(readFileSync(cassette, 'utf8'))).toMatchObject({
      recordedBy: 'mitmproxy har_dump 0.1',
      exchanges: expect.arrayContaining([expect.objectContaining({ bank: BANK })]),
    });
  });

  it('keeps the path below which the bank has the interface', async () => {
    await sandgate(['sessions', 'import', fixture('charles'), '--session', 'charles', ...store], { clock });
    await sandgate(['sessions', 'export', 'charles', '--out', out, ...store], { clock });
    expect(entries(out)[0]?.request.url).toBe('https://gw.bank.example:8443/psd2/live/stdgroup/v1/accounts');
  });

  it('writes no user and password of an address', async () => {
    const file = variant('mitmproxy-reverse', (all) => {
      for (const { request } of all) request.url = request.url.replace('//', '//alice:s3cret-word@');
    });
    await sandgate(['sessions', 'import', file, '--session', 'alice', ...store], { clock });
    const { out: text } = await sandgate(['sessions', 'export', 'alice', ...store], { clock });
    expect(text).toContain(BANK);
    expect(text).not.toContain('s3cret-word');
  });

  it('says what is known: by whom it was recorded and when, and nothing of this gateway', async () => {
    const { out: listed } = await sandgate(['sessions', 'ls', '--json', ...store], { clock });
    const [shop] = JSON.parse(listed);
    const [first, last] = [
      entries(fixture('mitmproxy-reverse'))[0],
      entries(fixture('mitmproxy-reverse')).at(-1),
    ];
    expect(shop).toMatchObject({
      name: 'shop',
      startedAt: Date.parse(first?.startedDateTime ?? ''),
      lastAt: Date.parse(last?.startedDateTime ?? ''),
    });
    expect(shop.notes).toHaveLength(1);
    expect(shop.notes[0].settings).toMatchObject({
      ...{ recordedBy: 'mitmproxy har_dump 0.1', source: 'unknown', stance: 'none', profile: 'sandbox' },
      importedAt: new Date(NOW).toISOString(),
    });
    for (const setting of ['scaLink', 'durability', 'upstream'])
      expect(shop.notes[0].settings).not.toHaveProperty(setting);
    const { out: report } = await sandgate(['report', 'shop', '--format', 'json', ...store], { clock });
    expect(JSON.parse(report).head).toMatchObject({ sources: ['unknown'], stances: ['none'] });
    expect(JSON.parse(report).against).toMatchObject([{ source: 'upstream', banks: [BANK], shown: [] }]);
  });
});
