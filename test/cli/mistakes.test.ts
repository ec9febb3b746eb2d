/**
 * Messages after a mistake on the command line: one sentence with what was typed, where it is wrong, and what to do.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadConfig, upstreamWarnings } from '../../src/app/index.js';
import { createSqliteStore } from '../../src/store/index.js';
import { testCertificates } from '../e2e/harness.js';
import { folderOfFile } from '../folder.js';
import { sandgate, startCommand } from './run-command.js';

const folder = folderOfFile();
const at = (name: string) => join(folder, name);
const NOSUCH = at('nosuch');

function file(name: string, content: unknown): string {
  writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content));
  return at(name);
}

const text = file('hello.pem', 'hello');
const broken = file('broken.json', '{\n  "stance": "observe",\n  "profile": sandbox\n}\n');
const har = file('odd.har', { log: { version: '1.2', entries: [{ request: { method: 'GET', url: 3 } }] } });
const cassette = file('odd.json', { format: 'sandgate-cassette', version: 1, records: [] });
const noise = file('noise.json', {
  format: 'sandgate-noise',
  version: 1,
  places: [{ operation: 'x', plase: 'y' }],
});
const settings = file('settings.json', {
  source: true,
  upstreamCertificates: { 'PSDBE-NBB-1': { crt: 'a.pem' }, 'PSDBE-NBB-2': { cert: 3, ky: 'b.key' } },
  waivers: [{ rule: 'requests/known-path' }, { rule: '', reason: 'x', until: '2026-99-01' }],
  sources: { 'accounts.lst': 'upstream' },
  matching: {
    'accounts.list': { preset: 'lenient', places: { body: 'free' } },
    'accounts.lst': { preset: 'loose' },
  },
});
const certs = await testCertificates();
mkdirSync(at('a-folder'));

/** What nobody can act on: codes of the system, words of libraries, stacks. */
const RAW = /\bE[A-Z]{4,}\b|Invalid input|Unrecognized|expected string|received|position \d|\bat .*\.[jt]s:/;

type Mistake = readonly [args: readonly string[], status: number, ...words: string[]];

const SERVE = ['serve', '--store', ':memory:', '--certs', certs];
const VALID_HAR = fileURLToPath(new URL('../fixtures/har/mitmproxy.har', import.meta.url));
const MISTAKES: readonly Mistake[] = [
  [
    ['serve', '--config', NOSUCH],
    2,
    `The configuration file ${NOSUCH} cannot be read: there is no such file; check its path.`,
  ],
  [['serve', '--config', at('a-folder')], 2, 'it is a folder; give a file in it.'],
  [['serve', '--config', broken], 2, `${broken} is not JSON: line 3, column 14 cannot be read.`],
  [
    ['serve', '--config', settings],
    2,
    `source in ${settings} is true: one of emulator, upstream, replay is expected`,
    `upstreamCertificates.PSDBE-NBB-1.cert in ${settings}: a text is expected.`,
    `upstreamCertificates.PSDBE-NBB-1 in ${settings}: “crt” is not known here; the nearest name is “cert”.`,
    `upstreamCertificates.PSDBE-NBB-2.cert in ${settings} is 3: a text is expected.`,
    `“ky” is not known here; the nearest name is “key”.`,
    `waivers[0].reason in ${settings}: it is missing; a text is expected.`,
    `waivers[1].rule in ${settings} is "": it is empty; a text is expected.`,
    `waivers[1].until in ${settings} is "2026-99-01": a date YYYY-MM-DD is expected.`,
    'accounts.lst is neither an operation',
    `matching.accounts.list.preset in ${settings} is "lenient": one of `,
    `matching.accounts.list.places.body in ${settings} is "free": a place is expected, such as "query dateFrom"`,
    `matching in ${settings}: “accounts.lst” is not known here; the nearest name is “accounts.list”.`,
  ],
  [
    ['serve', '--listen', '8500', '--psu-listen', 'localhost:8500'],
    2,
    '--listen 127.0.0.1:8500 and --psu-listen localhost:8500 are the same address: give each listener its own port.',
  ],
  [
    ['serve', '--listen', '8445'],
    2,
    '--listen 127.0.0.1:8445 and --admin-listen 127.0.0.1:8445 are the same',
  ],
  [['serve', '--listen', '0.0.0.0:8444'], 2, 'are the same address'],
  [
    ['serve', '--admin-listen', '0.0.0.0:1'],
    2,
    '--admin-listen 0.0.0.0:1: without --admin-token',
    'Give one, or a token',
  ],
  [
    ['serve', '--admin-token-file', NOSUCH],
    2,
    `--admin-token-file ${NOSUCH} cannot be read: there is no such file`,
  ],
  [['serve', '--replay', 'june'], 2, '--replay june is only used by source replay: add --source replay'],
  [
    ['serve', '--source', 'replay'],
    2,
    '--source replay needs a recording: add --replay SESSION or --replay FILE.',
  ],
  [['serve', '--source', 'upstream'], 2, '--source upstream needs a bank: add --upstream URL.'],
  [
    [...SERVE, '--source', 'replay', '--replay', 'june'],
    2,
    'june is neither a file nor a session',
    'sandgate sessions import',
  ],
  [
    ['serve', '--certs', certs, '--store', text, '--rules', 'requests/foo=must'],
    2,
    'There is no rule requests/foo',
  ],
  [['verify', text], 2, `${text} is no report: give a report in JSON or HTML, a dossier in PDF or a bundle`],
  [[...SERVE, '--trust-anchors', NOSUCH], 2, `${NOSUCH} cannot be read: there is no such file`],
  [[...SERVE, '--trust-anchors', text], 2, `The trust anchor ${text} holds no certificate: give PEM`],
  [[...SERVE, '--crls', text], 2, `The revocation list ${text} cannot be read: give an X.509 CRL`],
  [
    [...SERVE, '--upstream', 'https://bank.example', '--upstream-cert', NOSUCH],
    2,
    `${NOSUCH} cannot be read: there is no such file`,
  ],
  [
    [...SERVE, '--revocation', 'soft', '--ocsp-allow', 'http://x'],
    2,
    'is not valid in --ocsp-allow: give an address',
  ],
  [
    [...SERVE, '--notification-allow', 'http://x'],
    2,
    'is not valid in --notification-allow: give an address',
  ],
  [
    ['certs', 'issue', '--name', 'a', '--country', 'ZZ', '--certs', at('made')],
    2,
    '--country “ZZ” is not a country: give its code of two letters',
  ],
  [
    ['certs', 'issue', '--name', 'a', '--nca', '7', '--certs', at('made')],
    2,
    '--nca “7” is not the code of an authority',
  ],
  [['certs', 'inspect', NOSUCH], 2, `${NOSUCH} cannot be read: there is no such file`],
  [['certs', 'inspect', text, '--ca', text], 2, `The trust anchor ${text} holds no certificate`],
  [
    ['certs', 'inspect', text, '--ca', join(certs, 'ca.pem'), '--crl', text],
    2,
    `The revocation list ${text} cannot be read`,
  ],
  [['certs', 'issue'], 2, "'--name <NAME>' not specified", 'See sandgate certs issue --help.'],
  [['check', NOSUCH], 2, `${NOSUCH} cannot be read: there is no such file; check its path.`],
  [['check', at('a-folder')], 2, 'it is a folder; give a file in it'],
  [['check', har], 2, `${har} cannot be read at log.entries[0].request.url: a text is expected.`],
  [['check', cassette], 2, `${cassette} cannot be read at session: it is missing; a text is expected.`],
  [['check', broken], 2, `${broken} is not JSON: line 3, column 14 cannot be read.`],
  [['sessions', 'import', broken, '--store', at('s.db')], 2, 'line 3, column 14'],
  [['report', 'june', '--store', at('s.db')], 2, 'The store holds none: sandgate serve records one'],
  [['report', text, '--baseline', broken], 2, 'line 3, column 14'],
  [['verify', broken], 2, `${broken} is not JSON: line 3, column 14 cannot be read.`],
  [['verify', cassette], 2, `${cassette} is not a JSON report of this version`],
  [
    ['rerun', har, '--against', 'emulator', '--noise', noise],
    2,
    '“plase” is not known here; the nearest name is “place”',
    'places[0]',
  ],
  [['rerun', har, '--against', 'emulator', '--noise', broken], 2, 'line 3, column 14'],
  [
    ['rerun', VALID_HAR, '--against', 'https://bank.example', '--cert', NOSUCH, '--key', NOSUCH],
    2,
    `${NOSUCH} cannot be read: there is no such file`,
  ],
  [
    ['report'],
    2,
    'No recording is named: give a session (sandgate sessions lists them)',
    'See sandgate report --help.',
  ],
];

describe('a mistake is told in words that help', () => {
  it.each(MISTAKES.map(([args, status, ...words]) => ({ args, status, words })))(
    '$args ends with $status',
    async ({ args, status, words }) => {
      const said = await sandgate(args);
      for (const part of words) expect(said.err).toContain(part);
      expect([said.status, said.out]).toEqual([status, '']);
      expect(said.err.replaceAll(folder, '')).not.toMatch(RAW);
    },
  );

  it('a replay beside a gateway that runs is told to take a store of its own', async () => {
    const store = createSqliteStore({ path: at('served.db') });
    store.serve();
    const said = await sandgate(['replay', VALID_HAR, '--store', at('served.db'), '--certs', certs]);
    expect([said.status, said.err]).toEqual([3, expect.stringContaining('or --store :memory:')]);
    expect(said.err).not.toContain('--workers');
    store.close();
  });

  it('an authority that nobody published is told, and the certificate made: sandboxes have their own', async () => {
    const made = ['certs', 'issue', '--name', 'own', '--certs', at('made')];
    const { status, err, out } = await sandgate([...made, '--nca', 'XYZ']);
    expect([status, out]).toEqual([0, expect.stringContaining('Issued own')]);
    expect(err).toBe(
      'BE-XYZ is no published authority (of BE there is BE-NBB): certificate/nca-known finds it. For another one give --country and --nca.\n',
    );
    expect((await sandgate([...made, '--force'])).err).toBe('');
  });

  it('a bank that is asked in clear over a network is warned of, in the banner and in the log', async () => {
    const free = ['--listen', '0', '--psu-listen', '0', '--admin-listen', '0'];
    const serving = startCommand([...SERVE, ...free, '--upstream', 'http://192.0.2.1/psd2'], {
      clock: Date.now,
    });
    const banner = await serving.prints('Stop with Ctrl-C.');
    const words =
      'http://192.0.2.1/psd2 is called in plain text: anyone on the way can read tokens and accounts.';
    expect(banner).toContain(words);
    expect((await serving.stop()).err).toContain(words);
    for (const upstream of [
      'https://192.0.2.1/',
      'http://127.0.0.1:9/',
      'http://[::1]:9/',
      'http://localhost:9/',
    ])
      expect(upstreamWarnings(loadConfig({ flags: { upstream } }).config)).toEqual([]);
  });
});
