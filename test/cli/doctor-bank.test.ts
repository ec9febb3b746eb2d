/** `sandgate doctor` on the way to a bank: over real TLS, to banks of which each has another fault. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Examination } from '../../src/app/index.js';
import { startBank, startScriptedBank } from '../answer/upstream/bank.js';
import { createFiles, mintCertificates, type Pair } from '../answer/upstream/certificates.js';
import { sandgate } from './run-command.js';

const certificates = mintCertificates();
const files = createFiles();
const open: { close: () => unknown }[] = [];

afterEach(async () => {
  for (const it of open.splice(0)) await it.close();
});
afterAll(files.remove);

const CA = ['--upstream-ca', files.write('ca.pem', certificates.ca.cert)];

function shown(pair: Pair): string[] {
  return [
    ...['--upstream-cert', files.write('own.pem', pair.cert)],
    ...['--upstream-key', files.write('own.key', pair.key)],
  ];
}

/** What doctor says of the bank, by name of the row. */
async function look(upstream: string, args: readonly string[], clock = () => Date.now()) {
  const anywhere = ['--listen', '--psu-listen', '--admin-listen'].flatMap((flag) => [flag, '127.0.0.1:0']);
  const own = ['--store', ':memory:', '--certs', files.path('none'), '--json'];
  const said = await sandgate(['doctor', ...anywhere, ...own, '--upstream', upstream, ...args], { clock });
  const rows = (JSON.parse(said.out) as Examination[]).filter(({ name }) => /^(?:bank|our) /.test(name));
  return { status: said.status, rows, row: (name: string) => rows.find((one) => one.name === name) };
}

async function aBank(tls: TlsOptions = {}): Promise<string> {
  const bank = await startBank(certificates, (_, response) => response.writeHead(404).end(), tls);
  open.push(bank);
  return bank.url.href;
}

describe('a bank in order', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)('is found so at each step, over %s', async (version) => {
    const url = await aBank({ minVersion: version, maxVersion: version });
    const { status, rows, row } = await look(url, [...CA, ...shown(certificates.client)]);
    expect(rows.map(({ name, state }) => [name, state])).toEqual([
      ['bank name', 'good'],
      ['bank connection', 'good'],
      ['bank TLS', 'good'],
      // Test certificates live for thirty days.
      ['bank certificate', 'poor'],
      ['our certificate', 'poor'],
    ]);
    expect(row('bank TLS')?.found).toMatch(
      new RegExp(`^${version} with TLS_.*; the server name sent is localhost`),
    );
    expect(row('bank certificate')?.found).toMatch(/bank, signed by Bank CA, ends in 29 days/);
    expect(row('our certificate')?.found).toMatch(/^Accepted: gateway; it ends in 29 days/);
    expect(status).toBe(0);
  });

  it('has certificates that last, seen some days before', async () => {
    const clock = () => Date.now() - 10 * 86_400_000;
    const { row } = await look(await aBank(), [...CA, ...shown(certificates.client)], clock);
    expect(row('bank certificate')).toMatchObject({
      state: 'good',
      found: expect.stringMatching(/trusted, for this name, until 20/),
    });
    expect(row('our certificate')).toMatchObject({
      state: 'good',
      found: expect.stringMatching(/^Asked for and accepted: gateway, until .*HEAD was answered with 404/),
    });
  });

  it('is sent no server name where it is called by its address', async () => {
    const url = (await aBank()).replace('localhost', '127.0.0.1');
    const { row } = await look(url, [...CA, ...shown(certificates.client)]);
    expect(row('bank TLS')).toMatchObject({
      state: 'good',
      found: expect.stringContaining('no server name'),
    });
  });

  it('may ask for no certificate: which is told of one that is configured', async () => {
    const url = await aBank({ requestCert: false });
    const without = await look(url, CA);
    expect(without.row('our certificate')).toMatchObject({
      state: 'good',
      found: expect.stringContaining('does not ask for one'),
    });
    const { row } = await look(url, [...CA, ...shown(certificates.client)]);
    expect(row('our certificate')).toMatchObject({
      state: 'poor',
      found: expect.stringContaining('does not ask for it'),
    });
  });

  it('is shown the certificate of each TPP', async () => {
    const [second, foreign] = (['secondClient', 'foreignClient'] as const).map((name) => ({
      cert: files.write(`${name}.pem`, certificates[name].cert),
      key: files.write(`${name}.key`, certificates[name].key),
    }));
    const config = files.write(
      'tpps.json',
      JSON.stringify({ upstreamCertificates: { 'PSDBE-NBB-1': second, 'PSDBE-NBB-2': foreign } }),
    );
    const { row, status } = await look(await aBank(), [
      ...CA,
      ...shown(certificates.client),
      '--config',
      config,
    ]);
    expect(row('our certificate for PSDBE-NBB-1')?.found).toContain('Accepted: gateway-of-other-tpp');
    expect(row('our certificate for PSDBE-NBB-2')).toMatchObject({ state: 'bad' });
    expect(status).toBe(1);
  });
});

describe('a certificate of the bank', () => {
  it.each([
    ['that has ended', 'expiredServer', /has expired/, /Ask the bank to renew it/],
    [
      'for another name',
      'misnamedServer',
      /another name\. It is for DNS:elsewhere\.example/,
      /as in the certificate/,
    ],
    ['of another CA', 'untrustedServer', /not trusted.*signed by Other CA/, /--upstream-ca/],
  ] as const)('%s', async (_, server, found, advice) => {
    let calls = 0;
    const bank = await startScriptedBank(certificates, () => calls++, certificates[server]);
    open.push(bank);
    const { row, status, rows } = await look(bank.url.href, [...CA, ...shown(certificates.client)]);
    expect(row('bank TLS')?.state).toBe('good');
    expect(row('bank certificate')).toMatchObject({ state: 'bad' });
    expect(row('bank certificate')?.found).toMatch(found);
    expect(row('bank certificate')?.advice).toMatch(advice);
    expect([status, rows.length, calls]).toEqual([1, 4, 0]);
  });
});

describe('our certificate', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'of a CA that the bank does not know, over %s',
    async (version) => {
      const url = await aBank({ minVersion: version, maxVersion: version });
      const { rows, status } = await look(url, [...CA, ...shown(certificates.foreignClient)]);
      expect(rows.at(-1)).toMatchObject({
        state: 'bad',
        found: expect.stringContaining('it may not accept the client certificate'),
        advice: expect.stringContaining('its chain after'),
      });
      expect(status).toBe(1);
    },
  );

  it('that the bank asks for, and that is not configured', async () => {
    const { row } = await look(await aBank(), CA);
    expect(row('our certificate')).toMatchObject({
      state: 'bad',
      found: expect.stringContaining('it asks for one, and none is configured'),
      advice: expect.stringContaining('--upstream-cert'),
    });
  });

  it('that the bank takes the connection without', async () => {
    const { row } = await look(await aBank({ rejectUnauthorized: false }), CA);
    expect(row('our certificate')).toMatchObject({
      state: 'poor',
      found: expect.stringContaining('none is configured'),
    });
  });

  it('that is refused by a status', async () => {
    const bank = await startScriptedBank(certificates, (socket) =>
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    );
    open.push(bank);
    const { row } = await look(bank.url.href, [...CA, ...shown(certificates.client)]);
    expect(row('our certificate')).toMatchObject({
      state: 'poor',
      found: expect.stringContaining('answered HEAD with 400'),
    });
  });

  it('whose file is none', async () => {
    const letter = files.write('letter.pem', 'my dear aunt');
    const { rows, status } = await look('https://localhost:1', ['--upstream-cert', letter]);
    expect(rows).toMatchObject([
      { name: 'our certificate', state: 'bad', found: expect.stringContaining(letter) },
    ]);
    expect(status).toBe(1);
  });
});

describe('the way ends', () => {
  it('at the name', async () => {
    const { rows } = await look('https://no-bank.invalid', []);
    expect(rows).toMatchObject([
      {
        name: 'bank name',
        state: 'bad',
        found: expect.stringContaining('cannot be resolved'),
        advice: expect.stringContaining('DNS'),
      },
    ]);
  });

  it('at a port where nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    const { row } = await look(`https://127.0.0.1:${port}`, []);
    expect(row('bank connection')).toMatchObject({
      state: 'bad',
      found: expect.stringContaining('refused the connection'),
    });
  });

  it.each([
    ['never answers a handshake', () => {}, /did not finish the TLS handshake/, /a TLS port/],
    [
      'speaks another protocol',
      (s: NodeJS.WritableStream) => s.write('220 mail.example ESMTP\r\n'),
      /does not speak TLS/,
      /scheme and port/,
    ],
    ['closes at once', (s: NodeJS.WritableStream) => s.end(), /closed the connection/, /--upstream-cert/],
  ] as const)('at a program that %s', async (_, greet, found, advice) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      open.push({ close: () => socket.destroy() });
      greet(socket);
    });
    open.push({ close: () => server.close() });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const config = files.write('short.json', JSON.stringify({ upstreamLimits: { connect: '300ms' } }));
    const { port } = server.address() as AddressInfo;
    const { row, status } = await look(`https://127.0.0.1:${port}`, ['--config', config]);
    expect(row('bank connection')?.state).toBe('good');
    expect(row('bank TLS')?.state).toBe('bad');
    expect(row('bank TLS')?.found).toMatch(found);
    expect(row('bank TLS')?.advice).toMatch(advice);
    expect(status).toBe(1);
  });

  it('at an answer that does not come', async () => {
    const bank = await startScriptedBank(certificates, () => {});
    open.push(bank);
    const config = files.write('short.json', JSON.stringify({ upstreamLimits: { firstByte: '150ms' } }));
    const { row } = await look(bank.url.href, [...CA, ...shown(certificates.client), '--config', config]);
    expect(row('our certificate')).toMatchObject({
      state: 'poor',
      found: expect.stringContaining('no answer within 0.15 s'),
    });
  });

  it('before TLS where the bank has none', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    open.push({ close: () => server.close() });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { rows } = await look(`http://127.0.0.1:${port}`, []);
    expect(rows.at(-1)).toMatchObject({
      name: 'bank TLS',
      state: 'poor',
      found: expect.stringContaining('plain text'),
    });
  });
});
