/** `sandgate tail`: follows what others record, in a store or by a running gateway. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { collectGarbage } from '../collect-garbage.js';
import { eventually, started, startTestGateway } from '../e2e/harness.js';
import { folderOfTest } from '../folder.js';
import { aSchema } from '../postgres/schemas.js';
import { type Said, sandgate } from './run-command.js';

interface Tail {
  /** Resolves when standard output holds the text. */
  readonly prints: (text: string) => Promise<void>;
  /** As Ctrl-C does. */
  readonly stop: () => Promise<Said>;
}

function tail(args: readonly string[], env: Record<string, string> = {}): Tail {
  const stop = new AbortController();
  let text = '';
  let look = () => {};
  const heard = (out: string) => {
    text = out;
    look();
  };
  const ended = sandgate(['tail', ...args], { env, signal: stop.signal, heard, clock: Date.now });
  return {
    prints: (wanted) =>
      new Promise((resolve, reject) => {
        look = () => {
          if (text.includes(wanted)) resolve();
        };
        look();
        void ended.then(({ err }) => reject(new Error(`tail ended: ${err}`)));
      }),
    stop: () => {
      stop.abort('SIGINT');
      return ended;
    },
  };
}

const storeFile = () => join(folderOfTest(), 'store.db');
const idOf = ({ headers }: { headers: Record<string, string> }) => headers['sandgate-exchange'] ?? '';
const linesOf = ({ out }: Said) => out.trimEnd().split('\n');

describe('tail of a store', () => {
  it('begins with the newest calls and goes on with those that come, with the reason and the id', async () => {
    const store = storeFile();
    const gateway = await started({ store });
    await gateway.call('/stdgroup/v1/one');
    const before = await gateway.call('/stdgroup/v1/two');
    const tailed = tail(['--store', store, '--lines', '1']);
    await tailed.prints(idOf(before));
    const next = await gateway.call('/stdgroup/v1/three');
    await tailed.prints(idOf(next));
    const said = await tailed.stop();
    expect([said.status, said.err, linesOf(said).length]).toEqual([0, '', 2]);
    expect(linesOf(said)[1]).toMatch(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d GET +/three +404 .* ms  rule +must .*  ${idOf(next)}$`),
    );
  });

  it('follows all sessions, also one that begins, or the one that is named', async () => {
    const store = storeFile();
    const gateway = await started({ store });
    const first = await gateway.call('/stdgroup/v1/first');
    const [all, named] = [tail(['--store', store]), tail(['test', '--store', store])];
    await Promise.all([all.prints(idOf(first)), named.prints(idOf(first))]);
    const other = await gateway.call('/stdgroup/v1/other', { headers: { 'Sandgate-Session': 'other' } });
    await all.prints(idOf(other));
    const last = await gateway.call('/stdgroup/v1/last');
    await Promise.all([all.prints(idOf(last)), named.prints(idOf(last))]);
    expect((await named.stop()).out).not.toContain(idOf(other));
    await all.stop();
  });

  it('shows what matches a filter, as JSON for programs', async () => {
    const store = storeFile();
    const gateway = await started({ store });
    await gateway.token();
    const begun = tail(['--store', store, '--json', '--where', 'operation:oauth.token,accounts.*']);
    await begun.prints('"oauth.token"');
    await gateway.call('/stdgroup/v1/nothing');
    const refused = await gateway.call('/stdgroup/v1/accounts');
    await begun.prints(idOf(refused));
    const told = linesOf(await begun.stop()).map((line) => JSON.parse(line));
    expect(told.map(({ operation }) => operation)).toEqual(['oauth.token', 'accounts.list']);
    expect(told[1]).toMatchObject({
      ...{ id: idOf(refused), session: 'test', status: 400, worst: 'must', source: 'rule' },
      report: `${gateway.urls.admin}/exchanges/${idOf(refused)}`,
    });
  });

  it('goes on when the gateway has been started again', async () => {
    const store = storeFile();
    const before = await startTestGateway({ store });
    const first = await before.call('/stdgroup/v1/first');
    const tailed = tail(['--store', store]);
    await tailed.prints(idOf(first));
    await before.close();
    const again = await started({ store });
    const next = await again.call('/stdgroup/v1/next');
    await tailed.prints(idOf(next));
    expect(linesOf(await tailed.stop())).toHaveLength(2);
  });

  it.each([
    [['nobody'], 2, 'There is no session “nobody”'],
    [['--where', 'nonsense:1'], 2, 'nonsense'],
    [['--lines', 'many'], 2, 'A whole number from 0 to 1000 is expected'],
  ])('%j is refused with a sentence', async (args, status, told) => {
    const store = storeFile();
    const gateway = await started({ store });
    await gateway.call('/stdgroup/v1/one');
    const said = await sandgate(['tail', ...args, '--store', store]);
    expect([said.status, said.err]).toEqual([status, expect.stringContaining(told)]);
  });
});

describe.each([
  ['a file', () => ({ store: storeFile() })],
  ['a database', () => ({ store: aSchema(), storeKeyFile: `${storeFile()}.key` })],
])('tail of gateways that share %s', (_, settings) => {
  it('tells the calls of all of them, from the store and from any one of them', async () => {
    const shared: Record<string, string> = settings();
    const [one, other] = [await started(shared, 0), await started(shared, 1)];
    const first = await one.call('/stdgroup/v1/first');
    const ofStore = tail(['test', '--store', shared.store ?? '', '--where', '-path:*/hidden']);
    const ofGateway = tail(['--admin', one.urls.admin]);
    for (const tailed of [ofStore, ofGateway]) await tailed.prints(idOf(first));
    await other.call('/stdgroup/v1/hidden');
    const calls = await Promise.all(
      [one, other, one, other].map((gateway) => gateway.call('/stdgroup/v1/next')),
    );
    for (const tailed of [ofStore, ofGateway]) for (const call of calls) await tailed.prints(idOf(call));
    const [store, gateway] = [await ofStore.stop(), await ofGateway.stop()];
    expect([store, gateway].map((said) => [said.err, linesOf(said).length])).toEqual([
      ['', 5],
      ['', 6],
    ]);
  });
});

describe('tail of a gateway', () => {
  it('tells the same by its events, with the token of the variable', async () => {
    const token = 'a-token-of-16-or-more';
    const gateway = await started({ adminToken: token });
    const first = await gateway.call('/stdgroup/v1/first');
    const env = { SANDGATE_ADMIN_TOKEN: token };
    const tailed = tail(['--admin', gateway.urls.admin], env);
    await tailed.prints(idOf(first));
    const next = await gateway.call('/stdgroup/v1/next');
    await tailed.prints(idOf(next));
    const said = await tailed.stop();
    expect([said.status, linesOf(said).length, said.err]).toEqual([0, 2, '']);
    const without = await sandgate(['tail', '--admin', gateway.urls.admin]);
    expect([without.status, without.err]).toEqual([2, expect.stringContaining('set SANDGATE_ADMIN_TOKEN')]);
  });

  it('waits for a gateway that is started again, and tells what came meanwhile', async () => {
    const store = storeFile();
    const before = await startTestGateway({ store });
    const adminListen = new URL(before.urls.admin).host.replace('localhost', '127.0.0.1');
    const first = await before.call('/stdgroup/v1/first');
    const tailed = tail(['--admin', before.urls.admin]);
    await tailed.prints(idOf(first));
    const last = await before.call('/stdgroup/v1/last');
    await tailed.prints(idOf(last));
    await before.close();
    const again = await started({ store, adminListen });
    const next = await again.call('/stdgroup/v1/next');
    await tailed.prints(idOf(next));
    const { status, out, err } = await tailed.stop();
    expect([status, out.trimEnd().split('\n').length]).toEqual([0, 3]);
    expect(err).toContain('has gone; waiting for it.\nThe gateway at');
  });

  it('ends when it is asked to, though the garbage collector has run meanwhile', async () => {
    const following = new Set<ServerResponse>();
    const server = createServer((request, response) => {
      const isStream = request.url?.startsWith('/api/events') === true;
      response.writeHead(200, { 'Content-Type': isStream ? 'text/event-stream' : 'application/json' });
      if (!isStream) return response.end('{"exchanges":[]}');
      following.add(response);
      return response.write(':\n\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const tails = Array.from({ length: 60 }, () => tail(['--admin', `http://127.0.0.1:${port}`]));
    await eventually(() => expect(following.size).toBe(tails.length));
    for (let n = 0; n < 8; n++) {
      for (const response of following) response.write(':\n\n');
      await new Promise(setImmediate);
      collectGarbage();
    }
    const ended = await Promise.all(tails.map(({ stop }) => stop()));
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set([0]));
  });

  it('says where there is none, and what is none', async () => {
    const nowhere = await sandgate(['tail', '--admin', 'http://127.0.0.1:1']);
    expect([nowhere.status, nowhere.err]).toEqual([3, expect.stringContaining('No gateway answers')]);
    const other = createServer((_, response) => response.end('hello'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const no = await sandgate(['tail', '--admin', `http://127.0.0.1:${port}`]);
    expect([no.status, no.err]).toEqual([
      3,
      expect.stringContaining('it is not a gateway with this function'),
    ]);
  });
});
