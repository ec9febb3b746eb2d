/** Without a browser a journey is followed as a browser would: cookies, redirects, refreshes, frames, and the bank's forms. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Walker } from '../../src/rehearsal/drive/driver.js';
import { createFollower } from '../../src/rehearsal/drive/follow.js';
import { createAsk } from '../../src/rehearsal/request.js';

type Routes = Readonly<
  Record<string, (request: IncomingMessage, answer: ServerResponse, body: string) => void>
>;

async function serve(routes: Routes): Promise<string> {
  const server = createServer(async (request, answer) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const route = routes[`${request.method} ${request.url?.split('?')[0]}`];
    if (route === undefined) answer.writeHead(404).end('nothing here');
    else route(request, answer, body);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const WALKER: Walker = { psu: { id: 'psu-1', login: 'l', password: 'p' }, outcome: 'SCA_NOK', leaves: false };

const walk = (begin: string, psuOrigin: string, more: Partial<Walker> = {}, values = {}) =>
  createFollower(createAsk(''), psuOrigin).walk({
    ...WALKER,
    ...more,
    values,
    journey: { begin: `GET ${begin}`, drive: 'follow', done: { url: '/' } },
    signal: AbortSignal.timeout(20_000),
  });

const to =
  (location: string, more = {}) =>
  (_: IncomingMessage, answer: ServerResponse) =>
    void answer.writeHead(302, { location, ...more }).end();
const page = (html: string) => (_: IncomingMessage, answer: ServerResponse) =>
  void answer.writeHead(200, { 'content-type': 'text/html' }).end(html);

describe('a follower', () => {
  it('keeps cookies, follows redirects and refreshes, and tells where it ended', async () => {
    const app = await serve({
      'GET /link': to('/two', { 'set-cookie': 'id=7; Path=/; HttpOnly' }),
      'GET /two': page('<meta http-equiv="refresh" content="0; url=/three?x=1">'),
      'GET /three': (_, answer) => void answer.writeHead(200, { refresh: '1; url=/end' }).end('wait'),
      'GET /end': ({ headers }, answer) =>
        void answer.end(
          `<style>p{}</style><h1>Your  accounts</h1><p>of ${headers.cookie}</p><script>no()</script>`,
        ),
    });
    expect(await walk(`${app}/link`, 'https://bank.invalid')).toEqual({
      url: `${app}/end`,
      status: 200,
      text: 'Your accounts of id=7',
      problem: null,
    });
  });

  it('fills the form of the bank’s page by the outcome of the cell, and goes on by its link', async () => {
    let chosen = '';
    const app = await serve({ 'GET /back': page('<p>Not linked: access denied.</p>') });
    const start =
      '<form method="post" action=""><input type="hidden" name="sca_token" value="t"><button name="step" value="login">Log in</button></form>' +
      '<form method="post" action=""><input type="hidden" name="sca_token" value="t1"><input name="psu"><input type="radio" name="choice" value="SCA_OK"></form>';
    const psu = await serve({
      'GET /authorize': ({ url }, answer) =>
        url?.includes('scenario=SCA_NOK')
          ? void answer.writeHead(302, { location: `${app}/back?error=access_denied` }).end()
          : void answer.end(start),
      'POST /authorize': (_, answer, body) => {
        chosen = body;
        answer.end('<a href="/help">Help</a><a class="button" href="?scenario=SCA_NOK">Continue</a>');
      },
    });
    const ended = await walk(`${psu}/authorize`, psu);
    expect(chosen).toBe('sca_token=t1&step=choice&psu=psu-1&choice=SCA_NOK');
    expect(ended).toMatchObject({
      url: `${app}/back?error=access_denied`,
      text: 'Not linked: access denied.',
    });
  });

  it('leaves at the first page of the bank where the PSU goes away', async () => {
    const psu = await serve({ 'GET /authorize': page('<a href="?scenario=SCA_OK">Continue</a>') });
    expect(await walk(`${psu}/authorize`, psu, { leaves: true })).toMatchObject({
      url: `${psu}/authorize`,
      status: 200,
    });
  });

  it('loads frames before it goes on, as a browser that comes back twice', async () => {
    const visits: string[] = [];
    const app = await serve({
      'GET /frames': page(
        '<iframe src="/back?code=1"></iframe><meta http-equiv="refresh" content="1;url=/back?code=1">',
      ),
      'GET /back': ({ url }, answer) => {
        visits.push(url ?? '');
        answer.end('Welcome back, all is well');
      },
    });
    await walk(`${app}/frames`, 'https://bank.invalid');
    expect(visits).toEqual(['/back?code=1', '/back?code=1']);
  });

  it('ends where a page leads to itself', async () => {
    const app = await serve({ 'GET /link': to('/link') });
    expect((await walk(`${app}/link`, 'https://bank.invalid')).problem).toBe('it led on 40 times');
  });

  it.each([
    ['myapp://done', 'it led to myapp://done'],
    ['javascript:alert(1)', 'it led to javascript:alert(1)'],
    ['http://[', 'it led to http://['],
  ])('goes nowhere by %s', async (location, problem) => {
    const app = await serve({ 'GET /link': to(location) });
    expect((await walk(`${app}/link`, 'https://bank.invalid')).problem).toBe(problem);
  });

  it('fills values in, escaped', async () => {
    const app = await serve({ 'GET /pay': ({ url }, answer) => void answer.end(`paid by ${url}`) });
    const ended = await walk(
      `${app}/pay?to={iban}&left={other}`,
      'https://bank.invalid',
      {},
      { iban: 'BE&1' },
    );
    expect(ended.text).toBe('paid by /pay?to=BE%261&left={other}');
  });

  it('tells that nobody answers', async () => {
    const ended = await walk('http://127.0.0.1:1/', 'https://bank.invalid');
    expect(ended).toMatchObject({ status: null, problem: expect.stringContaining('ECONNREFUSED') });
  });
});

describe('a hostile application', () => {
  const page =
    (text: string): Routes[string] =>
    (_, answer) =>
      answer.writeHead(200, { 'content-type': 'text/html' }).end(text);

  it.each([
    ['a page nested without end', '<div>'.repeat(100_000)],
    ['a refresh to a file', '<meta http-equiv=refresh content="0;url=file:///etc/passwd">'],
    ['a refresh to a script', '<meta http-equiv=refresh content="0;url=javascript:alert(1)">'],
    ['a frame of a file', '<iframe src="file:///etc/passwd"></iframe><iframe src="javascript:1"></iframe>'],
    [
      'an address that is none',
      '<meta http-equiv=refresh content="0;url=https://["><iframe src="http://["></iframe>',
    ],
  ])('ends a journey with %s, and not the rehearsal', async (_, text) => {
    const app = await serve({ 'GET /': page(text) });
    const end = await walk(`${app}/`, 'https://bank.example');
    expect(JSON.stringify(end)).not.toContain('root:');
  });

  it('gets no cookie of another host, and sets none for it', async () => {
    const seen: (string | undefined)[] = [];
    const other = await serve({
      'GET /': (request, answer) => {
        seen.push(request.headers.cookie);
        answer.end('here');
      },
    });
    const away = other.replace('127.0.0.1', 'localhost');
    const app = await serve({
      'GET /': (_, answer) =>
        answer
          .writeHead(302, {
            location: `${away}/`,
            'set-cookie': ['own=1', 'theirs=1; Domain=localhost', 'all=1; Domain=.com'],
          })
          .end(),
    });
    await walk(`${app}/`, 'https://bank.example');
    expect(seen.filter((cookie) => cookie !== undefined)).toEqual([]);
  });
});
