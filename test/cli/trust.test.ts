/** `sandgate trust`: lists from a folder, or from servers, into a snapshot that a gateway reads. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MOST_LIST_BYTES } from '../../src/trust/index.js';
import { NOW } from '../builders.js';
import { anAuthority, aQwac, DAY } from '../certificate/made.js';
import { folderOfTest } from '../folder.js';
import { aListOfLists, aNationalList, signed, signer } from '../trust/made-lists.js';
import { sandgate } from './run-command.js';

const COMMISSION = signer('Commission');
const BELGIUM = signer('Operator BE');
const CZECHIA = signer('Operator CZ');
const CA = anAuthority('QWAC CA');
const POINTERS = [
  { country: 'BE', signers: [BELGIUM] },
  { country: 'CZ', signers: [CZECHIA] },
];
const WEB = ['ForWebSiteAuthentication'];
const WITHDRAWN = [
  ['withdrawn', -5, WEB],
  ['granted', -300, WEB],
] as const;
const BE = signed(aNationalList([{ authority: CA, periods: WITHDRAWN }]), BELGIUM);
const CZ = signed(aNationalList([], { country: 'CZ' }), CZECHIA);
const LOTL = signed(aListOfLists([COMMISSION], POINTERS), COMMISSION);

function aFolder(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = folderOfTest();
  mkdirSync(join(folder, 'lists'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'lists', name), text);
  writeFileSync(join(folder, 'signers.pem'), COMMISSION.pem);
  writeFileSync(join(folder, 'qwac.pem'), aQwac({ authority: CA }).pem);
  return folder;
}

const options = (folder: string) => ['--certs', join(folder, 'certs')];
const making = (folder: string) => [
  ...['--out', join(folder, 'lists.json'), '--signers', join(folder, 'signers.pem')],
  ...options(folder),
];
const importing = (folder: string, ...more: string[]) =>
  sandgate(['trust', 'import', join(folder, 'lists'), ...making(folder), ...more]);
const inspecting = (folder: string, at: number) =>
  sandgate(
    [
      'certs',
      'inspect',
      join(folder, 'qwac.pem'),
      '--trust-list',
      join(folder, 'lists.json'),
      '--json',
      ...options(folder),
    ],
    { clock: () => at },
  );

describe('sandgate trust import', () => {
  it('tells of each list, accepts what is intact, refuses the rest by name, and opens no socket', async () => {
    const opened = vi.spyOn(Socket.prototype, 'connect');
    onTestFinished(() => opened.mockRestore());
    const broken = {
      'cz-changed.xml': CZ.replace('>7<', '>8<'),
      'cz-empty.xml': '',
      'large.xml': Buffer.alloc(MOST_LIST_BYTES + 1),
    };
    const folder = aFolder({ 'be.xml': BE, 'eu.xml': LOTL, 'notes.txt': 'x', ...broken });
    const { status, out } = await importing(folder, '--json');
    expect(JSON.parse(out)).toEqual([
      { file: 'be.xml', country: 'BE', state: 'accepted', why: null },
      { file: 'cz-changed.xml', country: 'CZ', state: 'refused', why: 'it was changed after it was signed' },
      { file: 'cz-empty.xml', country: null, state: 'refused', why: 'it is empty' },
      { file: 'eu.xml', country: 'EU', state: 'accepted', why: null },
      { file: 'large.xml', country: null, state: 'refused', why: 'it is larger than 16 MiB' },
    ]);
    expect(status).toBe(1);
    expect(opened).not.toHaveBeenCalled();
    expect(statSync(join(folder, 'certs', 'evidence.key')).mode & 0o777).toBe(0o600);
  });

  it('gives a snapshot by which a CA that was withdrawn is judged by the day', async () => {
    const folder = aFolder({ 'be.xml': BE, 'cz.xml': CZ, 'eu.xml': LOTL });
    expect(await importing(folder)).toMatchObject({ status: 0, out: expect.stringContaining('Written: ') });
    const untrusted = 'certificate/issued-by-trusted-ca';
    const [before] = JSON.parse((await inspecting(folder, NOW - 6 * DAY)).out);
    expect(before).toMatchObject({
      findings: expect.not.arrayContaining([untrusted]),
      chain: { trusted: true },
    });
    expect(before.chain.reason).toMatch(
      /granted .* trusted list of BE \(service “Test QWACs” of Test Trust Services; snapshot [0-9a-f]{12} of /,
    );
    const [after] = JSON.parse((await inspecting(folder, NOW)).out);
    expect(after).toMatchObject({ findings: expect.arrayContaining([untrusted]) });
    expect(after.chain.reason).toContain('is withdrawn for web site authentication since');
  });

  it('judges by the day of --at, to its end', async () => {
    const folder = aFolder({ 'be.xml': BE, 'eu.xml': LOTL });
    const day = (offset: number) => new Date(NOW + offset * DAY).toISOString().slice(0, 10);
    expect(JSON.parse((await importing(folder, '--json', '--at', day(-11))).out)[0].why).toContain(
      'it was issued on',
    );
    expect((await importing(folder, '--at', day(-10))).status).toBe(0);
    expect(JSON.parse((await importing(folder, '--json', '--at', day(200))).out)[0].why).toContain(
      'due for an update',
    );
  });

  it('writes nothing where no list of lists is trusted', async () => {
    const folder = aFolder({ 'be.xml': BE });
    expect(await importing(folder)).toMatchObject({
      status: 2,
      err: expect.stringContaining('No list of lists in'),
    });
    expect(() => readFileSync(join(folder, 'lists.json'))).toThrow();
  });

  it('shows a snapshot, warns of lists that are overdue, and refuses one that was changed', async () => {
    const folder = aFolder({ 'be.xml': BE, 'eu.xml': LOTL });
    await importing(folder);
    const file = join(folder, 'lists.json');
    const show = (at: number) => sandgate(['trust', 'show', file, ...options(folder)], { clock: () => at });
    expect(await show(NOW)).toMatchObject({
      status: 0,
      out: expect.stringMatching(/BE +Test Trust Services +Test QWACs +web +withdrawn since/),
      err: '',
    });
    expect((await show(NOW + 200 * DAY)).err).toMatch(
      /^These trusted lists were due for an update: EU .*BE /,
    );
    writeFileSync(file, readFileSync(file, 'utf8').replace('withdrawn', 'granted'));
    expect(await show(NOW)).toMatchObject({
      status: 2,
      err: expect.stringContaining('is not as it was signed'),
    });
  });
});

describe('sandgate trust update', () => {
  /** A server of lists; `{}` in an address is its port. */
  async function served(pages: Readonly<Record<string, string | number>>): Promise<string> {
    const asked: string[] = [];
    const server = createServer(({ url = '', headers }, answer) => {
      asked.push(`${url} ${headers['sandgate-sent'] ?? 'own'}`);
      const page = pages[url] ?? 404;
      if (page === 302) answer.writeHead(302, { Location: 'http://127.0.0.2:1/inside' }).end();
      else if (typeof page === 'number') answer.writeHead(page).end();
      else answer.end(page.replaceAll('{}', String(port())));
    });
    const port = () => (server.address() as AddressInfo).port;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${port()}`;
  }

  it('fetches what the list of lists names, and leaves lists in force that cannot be had, by name', async () => {
    const folder = aFolder({ 'be.xml': BE, 'cz.xml': CZ, 'eu.xml': LOTL });
    await importing(folder);
    const pages: Record<string, string | number> = { '/cz.xml': 302 };
    const base = await served(pages);
    const pointers = POINTERS.map((one) => ({ ...one, url: `${base}/${one.country.toLowerCase()}.xml` }));
    pages['/eu.xml'] = signed(aListOfLists([COMMISSION], pointers, { sequence: 301 }), COMMISSION);
    pages['/be.xml'] = signed(aNationalList([{ authority: CA }], { sequence: 8 }), BELGIUM);
    const { status, out } = await sandgate([
      'trust',
      'update',
      '--lotl',
      `${base}/eu.xml`,
      ...making(folder),
      '--json',
    ]);
    expect(status).toBe(1);
    expect(JSON.parse(out)).toEqual([
      { file: `${base}/eu.xml`, country: 'EU', state: 'accepted', why: null },
      { file: `${base}/be.xml`, country: 'BE', state: 'accepted', why: null },
      {
        file: `${base}/cz.xml`,
        country: 'CZ',
        state: 'refused',
        why: expect.stringMatching(/^it leads to another host, 127\.0\.0\.2; number 7 of .* stays in force$/),
      },
    ]);
    expect(JSON.parse((await inspecting(folder, NOW)).out)[0].chain.trusted).toBe(true);
  });

  it('leaves the snapshot as it was where the list of lists cannot be had', async () => {
    const folder = aFolder({ 'be.xml': BE, 'eu.xml': LOTL });
    await importing(folder);
    const before = readFileSync(join(folder, 'lists.json'), 'utf8');
    const base = await served({ '/eu.xml': 500 });
    const { status, out } = await sandgate([
      'trust',
      'update',
      '--lotl',
      `${base}/eu.xml`,
      ...making(folder),
    ]);
    expect(status).toBe(2);
    expect(out).toContain('its server answered 500');
    expect(readFileSync(join(folder, 'lists.json'), 'utf8')).toBe(before);
  });
});
