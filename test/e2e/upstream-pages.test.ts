/** The PSU on the way to a bank behind the gateway: sent on to its pages, or shown them. */
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { type BankBehind, openBankBehind } from './bank-behind.js';
import { CHALLENGE, eventually, VERIFIER } from './harness.js';
import { openTls, untilClosed, untilHolds } from './raw.js';

const AUTHORISATION = '22222222-2222-2222-2222-222222222222';
const AUTHORIZE = `/stdgroup/authorization/authorize/${AUTHORISATION}`;
const TPP_BACK = 'https://tpp.example/back';
const STATE = 'S8NJ7uqk5fY4EjNvP_G_FtyJu6pUsvH9jsYni9dMAJw';
/** In an order and spelling of its own. */
const QUERY = `state=${STATE}&scope=AIS:VALID_CONSENT_ID&client_id=PSDBE-NBB-0123456789&redirect_uri=${encodeURIComponent(TPP_BACK)}&code_challenge=${CHALLENGE}&code_challenge_method=S256&response_type=code&x=%7e+y`;

const open: BankBehind[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A bank for browsers, which show no certificate. */
async function behind(...[answer, settings]: Parameters<typeof openBankBehind>): Promise<BankBehind> {
  const made = await openBankBehind(answer, settings, { requestCert: false, rejectUnauthorized: false });
  open.push(made);
  return made;
}

const page: Parameters<typeof openBankBehind>[0] = (_, response) => {
  response.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': 'login=secret-cookie' }).end('<form>');
};
const psu = { side: 'psu' } as const;

describe('a browser that is sent on', () => {
  it('goes to the bank with exactly the parameters of the TPP; the request is judged and recorded', async () => {
    const bank = await behind(page, { upstreamPsu: 'https://psu.bank.example/pages' });
    const answer = await bank.gateway.call(`${AUTHORIZE}?${QUERY}`, psu);
    expect([answer.status, answer.headers.location]).toEqual([
      302,
      `https://psu.bank.example/pages${AUTHORIZE}?${QUERY}`,
    ]);
    expect(bank.seen).toEqual([]);
    const [{ exchange, verdicts } = expect.fail('nothing was recorded')] = await bank.gateway.records();
    expect(answer.headers['sandgate-report']).toBe(
      `${bank.gateway.urls.admin}/exchanges/${exchange.call.id}`,
    );
    expect(exchange.answer?.source).toBe('upstream');
    expect(verdicts['oauth/challenge-method']).toBe('complied');
    expect(verdicts['answers/redirect-carries-state']).toBeUndefined();
  });

  it.each(['observe', 'enforce'])(
    'may ask for pages that only the bank knows, in stance %s',
    async (stance) => {
      const bank = await behind(page, { stance });
      const answer = await bank.gateway.call('/login/step-2?a=b', psu);
      expect([answer.status, answer.headers.location]).toEqual([302, `${bank.url.origin}/login/step-2?a=b`]);
      const [record] = await bank.gateway.records();
      expect(record?.findings).toEqual([]);
    },
  );

  it('is refused in stance enforce where its request is wrong', async () => {
    const bank = await behind(page, { stance: 'enforce' });
    const answer = await bank.gateway.call(`${AUTHORIZE}?${QUERY.replace('response_type=code', '')}`, psu);
    expect(answer.headers.location ?? '').not.toContain(bank.url.origin);
    const [record] = await bank.gateway.records();
    expect(record?.exchange.answer?.source).toBe('rule');
  });

  it('cannot bring a form there', async () => {
    const bank = await behind(page);
    const answer = await bank.gateway.call('/login', { ...psu, form: { user: 'x' } });
    expect([answer.status, bank.seen.length]).toEqual([503, 0]);
  });
});

describe('a bank whose pages appear on the PSU listener', () => {
  /** A page, then a form that ends in the redirect to the TPP. */
  const bankOfForms: Parameters<typeof openBankBehind>[0] = (request, response) => {
    if (request.method === 'GET') return page(request, response);
    const location = `${TPP_BACK}?code=a-code-of-the-bank&state=${STATE}`;
    response.writeHead(302, { Location: location }).end();
  };

  it('is seen by the browser, and the page is recorded without its bytes', async () => {
    const bank = await behind(bankOfForms, { psuProxy: true });
    const shown = await bank.gateway.call(`${AUTHORIZE}?${QUERY}`, psu);
    expect([shown.status, shown.text]).toEqual([200, '<form>']);
    expect(bank.seen[0]?.target).toBe(`${AUTHORIZE}?${QUERY}`);
    const [record] = await bank.gateway.records();
    expect(shown.headers).toMatchObject({
      ...{ 'sandgate-exchange': record?.exchange.call.id, 'sandgate-source': 'upstream' },
      'sandgate-report': `${bank.gateway.urls.admin}/exchanges/${record?.exchange.call.id}`,
    });
    expect(record?.exchange).toMatchObject({
      answer: { status: 200, source: 'upstream', body: null },
      fault: null,
    });
    expect(JSON.stringify(record)).not.toContain('secret-cookie');
  });

  it('ends with a redirect that is judged and recorded before it leaves; what the PSU types is not', async () => {
    const bank = await behind(bankOfForms, { psuProxy: true });
    await bank.gateway.call(`${AUTHORIZE}?${QUERY}`, psu);
    const back = await bank.gateway.call('/login', { ...psu, form: { password: 'hunter2' } });
    expect([back.status, back.headers.location]).toEqual([
      302,
      `${TPP_BACK}?code=a-code-of-the-bank&state=${STATE}`,
    ]);
    expect(bank.seen[1]?.body.toString()).toBe('password=hunter2');
    const records = await bank.gateway.records();
    expect(records.map(({ exchange }) => [exchange.call.operation, exchange.answer?.status])).toEqual([
      ['oauth.authorize', 200],
      ['oauth.authorize', 302],
    ]);
    expect(records[1]?.verdicts['answers/redirect-carries-state']).toBe('complied');
    expect(new Set(records.map(({ exchange }) => exchange.call.id)).size).toBe(2);
    expect(JSON.stringify(records)).not.toMatch(/hunter2|a-code-of-the-bank/);
  });

  it('is brought what the PSU types also by a browser that waits until it is asked for', async () => {
    const bank = await behind(bankOfForms, { psuProxy: true });
    const socket = await openTls(bank.gateway, { side: 'psu' });
    socket.write(
      'POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n',
    );
    expect(await untilHolds(socket, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 100 Continue/);
    const answer = untilClosed(socket);
    socket.write('password=hunter2');
    expect(await answer).toMatch(/^HTTP\/1\.1 302 /);
    expect(bank.seen[0]?.body.toString()).toBe('password=hunter2');
  });

  it('ends with a redirect that is judged where the bank has lost the state', async () => {
    const stateless: typeof bankOfForms = (request, response) => {
      if (request.method === 'GET') return page(request, response);
      response.writeHead(302, { Location: `${TPP_BACK}?code=a-code-of-the-bank` }).end();
    };
    const bank = await behind(stateless, { psuProxy: true });
    await bank.gateway.call(`${AUTHORIZE}?${QUERY}`, psu);
    await bank.gateway.call('/login', { ...psu, form: { password: 'hunter2' } });
    const [, back] = await bank.gateway.records();
    expect(back?.verdicts['answers/redirect-carries-state']).toBe('violated');
  });

  it('learns nothing of certificates out of headers that only a load balancer may send', async () => {
    const bank = await behind(page, {
      psuProxy: true,
      clientCertHeader: 'rfc9440',
      clientCertFrom: '127.0.0.0/8,::1',
    });
    const upgraded = once(bank.server, 'upgrade');
    const headers = { 'Client-Cert': ':MIIB:', 'client-cert-Chain': ':MIIB:', 'X-Other': '1' };
    await bank.gateway.call(`${AUTHORIZE}?${QUERY}`, { ...psu, headers });
    await bank.gateway.call('/login', { ...psu, headers });
    const socket = await openTls(bank.gateway, { side: 'psu' });
    socket.on('error', () => {});
    socket.write(
      'GET /push HTTP/1.1\r\nHost: localhost\r\nClient-Cert: :MIIB:\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    );
    const [push] = await upgraded;
    const sent = [...bank.seen.map((one) => one.headers), push.rawHeaders].map((raw) =>
      raw.join(' ').toLowerCase(),
    );
    expect(sent).toHaveLength(3);
    for (const one of sent) expect(one).not.toContain('client-cert');
    expect(sent[0]).toContain('x-other');
    const [record] = await bank.gateway.records();
    expect(record?.exchange.call.header).toHaveProperty('x-other');
    expect(record?.exchange.call.header).not.toHaveProperty('client-cert');
    socket.destroy();
  });

  it('lets the code be judged when the TPP exchanges it', async () => {
    const bank = await behind(bankOfForms, { psuProxy: true, profile: 'production' });
    await bank.gateway.call(`${AUTHORIZE}?${QUERY}`, psu);
    await bank.gateway.call('/login', { ...psu, form: { password: 'hunter2' } });
    const form = {
      grant_type: 'authorization_code',
      client_id: 'PSDBE-NBB-0123456789',
      code: 'a-code-of-the-bank',
      code_verifier: `${VERIFIER}x`,
    };
    await bank.gateway.call('/stdgroup/v1/token', { form });
    const record = (await bank.gateway.records()).at(-1);
    expect(record?.verdicts['oauth/verifier-matches-challenge']).toBe('violated');
  });

  it('that cannot be reached is an answer of the gateway, with its cause in the recording', async () => {
    const bank = await behind(page, { psuProxy: true, upstreamPsu: 'https://127.0.0.1:1' });
    const answer = await bank.gateway.call(`${AUTHORIZE}?${QUERY}`, psu);
    expect([answer.status, answer.text]).toEqual([502, expect.stringContaining('Sandgate, not the bank')]);
    const [record] = await bank.gateway.records();
    expect(record?.exchange).toMatchObject({
      answer: { status: 502, source: 'gateway' },
      fault: { kind: 'refused', message: expect.stringContaining('127.0.0.1:1') },
    });
  });

  it('whose pages cannot be reached is warned of once a minute, with the cause', async () => {
    const dead = { psuProxy: true, upstreamPsu: 'https://127.0.0.1:1', logLevel: 'warn' };
    const { gateway } = await behind(page, dead);
    for (const path of ['/a', '/b', '/c']) expect((await gateway.call(path, psu)).status).toBe(502);
    expect(gateway.logged().filter(({ msg }) => msg === 'A page of the bank failed.')).toEqual([
      expect.objectContaining({ cause: 'The bank (127.0.0.1:1) refused the connection.', failedBefore: 0 }),
    ]);
  });

  it('whose page nobody waits for is recorded without answer', async () => {
    const bank = await behind(() => {}, { psuProxy: true });
    const socket = await openTls(bank.gateway, { side: 'psu' });
    socket.write(`GET ${AUTHORIZE}?${QUERY} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await eventually(() => expect(bank.seen).toHaveLength(1));
    socket.destroy();
    await eventually(async () => {
      const [record] = await bank.gateway.records();
      expect(record?.exchange).toMatchObject({ answer: null, fault: { kind: 'client-gone' } });
    });
    await eventually(() => expect(bank.sockets.size).toBe(0));
  });

  it('is not asked where stance enforce refuses the request', async () => {
    const bank = await behind(page, { psuProxy: true, stance: 'enforce' });
    const answer = await bank.gateway.call(`${AUTHORIZE}?${QUERY.replace('response_type=code', '')}`, psu);
    expect(answer.status).toBeGreaterThanOrEqual(300);
    expect(bank.seen).toEqual([]);
    const [record] = await bank.gateway.records();
    expect(record?.exchange.answer?.source).toBe('rule');
  });

  it('cannot be used to fill the disk with refusals', async () => {
    const bank = await behind(page, { psuProxy: true, stance: 'enforce' });
    const wrong = `${AUTHORIZE}?${QUERY.replace('response_type=code', '')}`;
    const request = (field: string) => `GET ${wrong} HTTP/1.1\r\nHost: localhost\r\n${field}\r\n`;
    let answered = 0;
    for (let connection = 0; connection < 55; connection++) {
      const socket = await openTls(bank.gateway, { side: 'psu' });
      const answers = untilClosed(socket);
      socket.write(request('').repeat(19) + request('Connection: close\r\n'));
      answered += (await answers).match(/HTTP\/1\.1 302/g)?.length ?? 0;
    }
    expect(answered).toBe(1_100);
    const records = await bank.gateway.records();
    const whole = records.filter(({ exchange }) => exchange.answer?.source === 'rule').length;
    expect(whole).toBeLessThan(1_100);
  });

  it('may speak over a websocket, which ends with the gateway', async () => {
    const bank = await behind(page, { psuProxy: true });
    bank.server.on('upgrade', (_, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
      socket.on('data', (bytes: Buffer) => socket.write(`echo ${bytes}`)).on('error', () => {});
    });
    const socket = await openTls(bank.gateway, { side: 'psu' });
    socket.on('error', () => {});
    socket.write(
      'GET /push HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    );
    await untilHolds(socket, '101 Switching Protocols');
    socket.write('ping');
    await untilHolds(socket, 'echo ping');
    const closed = once(socket, 'close');
    await bank.gateway.app.close();
    await closed;
  });
});
