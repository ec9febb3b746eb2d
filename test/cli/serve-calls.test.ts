/** What `serve` tells of calls: on a terminal, in an access log, and not at all in a pipe. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Child, startProgram, temporaryFolder } from '../e2e/child.js';
import { testCertificates } from '../e2e/harness.js';
import { sandgate, startCommand } from './run-command.js';

const READY = 'Stop with Ctrl-C.';
/** A pseudo terminal of 160 columns, copied to a pipe; the program's id stands before all else. */
const ON_TERMINAL = 'exec script -qefc "stty cols 160; echo pid=\\$\\$; exec $*" /dev/null;';

let certs = '';
let agent: Agent;
beforeAll(async () => {
  certs = await testCertificates();
  const file = (name: string) => readFileSync(join(certs, name), 'utf8');
  const own = { ca: file('ca.pem'), cert: file('tpp.pem'), key: file('tpp.key') };
  agent = new Agent({ connections: 20, connect: own });
});
afterAll(() => agent.close());

interface Served extends Child {
  readonly call: (path: string) => Promise<string>;
}

async function served(
  args: readonly string[],
  options: { shell?: string; env?: Record<string, string>; stderr?: true } = {},
): Promise<Served> {
  const child = startProgram([...serve(), ...args], options);
  const text = await (options.stderr ? child.tells(READY) : child.prints(READY));
  return { ...child, call: callOf(text) };
}

/** The same in this process: what it says is that of a pipe. */
async function servedHere(...args: readonly string[]) {
  const running = startCommand([...serve(), '--store', ':memory:', ...args], { clock: Date.now });
  const text = await running.prints(READY);
  return { ...running, text, call: callOf(text) };
}

const serve = (): readonly string[] => [
  ...['serve', '--listen', '127.0.0.1:0', '--psu-listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0'],
  ...['--certs', certs, '--session', 'test', '--log-level', 'error'],
];

function callOf(text: string): Served['call'] {
  const api = /API +(\S+)/.exec(text)?.[1] ?? '';
  return async (path) => {
    const { headers, body } = await request(`${api}${path}`, { dispatcher: agent });
    await body.dump();
    return String(headers['sandgate-exchange']);
  };
}

/** As Ctrl-C does, to the program and not to what gives it its terminal. */
function interrupt(text: string): void {
  process.kill(Number(/pid=(\d+)/.exec(text)?.[1]), 'SIGINT');
}

const linesIn = (file: string): { readonly id: string }[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('serve on a terminal', () => {
  it('prints a coloured line for each call, with a link to its page', async () => {
    const child = await served(['--store', ':memory:'], { shell: ON_TERMINAL, env: { TERM: 'xterm' } });
    const id = await child.call('/stdgroup/v1/nowhere');
    const text = await child.prints(`/exchanges/${id}`);
    interrupt(text);
    const { code, stdout } = await child.ended;
    const [, told] = stdout.split(`${READY}\r\n`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours and links are what is taken out
    expect([code, told?.replace(/\u001b(?:\[\d+m|\]8;;.*?\u001b\\)/g, '')]).toEqual([
      0,
      expect.stringMatching(
        /^\d\d:\d\d:\d\d GET {4}\/nowhere +404 +\d.* ms {2}rule {6}must (?:\+\d )?path: .* {2}[0-9A-Z]{11}\r\n$/,
      ),
    ]);
    expect(told).toContain('\u001b[33m 404\u001b[0m');
  });

  it.runIf(process.platform === 'linux')('prints those of all workers, and logs them', async () => {
    const args = ['--store', 'calls.db', '--workers', '2', '--access-log', 'calls.jsonl'];
    const child = await served(args, { shell: ON_TERMINAL });
    const paths = Array.from({ length: 40 }, () => '/stdgroup/v1/nowhere');
    const ids = await Promise.all(paths.map(child.call));
    await child.prints(`/exchanges/${ids[0]}`);
    const last = await Promise.all(paths.map(child.call));
    interrupt(await child.prints(READY));
    const { code, stdout } = await child.ended;
    const printed = [...stdout.matchAll(/localhost:[1-9]\d*\/exchanges\/(\w+)/g)].map(([, id]) => id);
    // What it said on the terminal tells why it ended otherwise.
    expect(code, stdout.slice(-2_000)).toBe(0);
    expect(printed.sort()).toEqual([...ids, ...last].sort());
    const logged = linesIn(join(child.folder, 'calls.jsonl')).map(({ id }) => id);
    expect(logged.sort()).toEqual([...ids, ...last].sort());
  });

  it('prints none with --no-call-lines, nor with --json', async () => {
    const child = await served(['--store', ':memory:', '--no-call-lines'], { shell: ON_TERMINAL });
    await child.call('/stdgroup/v1/nowhere');
    interrupt(await child.prints(READY));
    expect((await child.ended).stdout.endsWith(`${READY}\r\n`)).toBe(true);
  });

  it('answers on where the terminal is stopped, and says then how many lines are missing', async () => {
    const child = await served(['--store', ':memory:'], { shell: ON_TERMINAL });
    const first = await child.call('/stdgroup/v1/nowhere');
    const text = await child.prints(first);
    child.process.kill('SIGSTOP');
    for (let i = 0; i < 50; i++)
      await Promise.all(Array.from({ length: 20 }, () => child.call('/stdgroup/v1/nowhere')));
    child.process.kill('SIGCONT');
    await child.prints('calls are not shown: the terminal is slower than they come.');
    const last = await child.call('/stdgroup/v1/nowhere');
    await child.prints(last);
    interrupt(text);
    expect((await child.ended).code).toBe(0);
  });
});

describe('serve in a pipe', () => {
  it('prints nothing of calls', async () => {
    const child = await served(['--store', ':memory:'], { env: { FORCE_COLOR: '1' } });
    await child.call('/stdgroup/v1/nowhere');
    child.process.kill('SIGINT');
    expect((await child.ended).stdout.endsWith(`${READY}\n`)).toBe(true);
  });

  it('appends them to the access log as JSON, for its owner alone, all of them by its end', async () => {
    const file = join(temporaryFolder(), 'calls.jsonl');
    const serving = await servedHere('--access-log', file);
    const ids = await Promise.all(Array.from({ length: 50 }, () => serving.call('/stdgroup/v1/nowhere')));
    await serving.stop();
    const told = linesIn(file);
    expect(told.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(told[0]).toMatchObject({
      method: 'GET',
      path: '/stdgroup/v1/nowhere',
      status: 404,
      worst: 'must',
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.runIf(process.platform === 'linux')(
    'answers on where the disk of the log is full, and says so once',
    async () => {
      const full = "trap '' XFSZ; ulimit -f 8;";
      const child = await served(['--store', ':memory:', '--access-log', 'calls.jsonl'], { shell: full });
      for (let i = 0; i < 40; i++) expect(await child.call('/stdgroup/v1/nowhere')).toMatch(/^\w{11}$/);
      await child.tells('The access log is not complete.');
      child.process.kill('SIGINT');
      const { code, stderr } = await child.ended;
      expect([code, stderr.match(/The access log is not complete/g)?.length]).toEqual([0, 1]);
      expect(stderr).toContain('--access-log calls.jsonl');
    },
  );

  it('writes nothing else to standard output where they are logged there', async () => {
    const child = await served(['--store', ':memory:', '--access-log'], { stderr: true });
    const id = await child.call('/stdgroup/v1/nowhere');
    const [line = ''] = (await child.prints('\n')).split('\n');
    expect(JSON.parse(line)).toMatchObject({ id, session: 'test' });
    child.process.kill('SIGINT');
    expect(await child.ended).toMatchObject({ code: 0, stdout: `${line}\n` });
  });

  it('does not start where the log cannot be written', async () => {
    const { status, err } = await sandgate([...serve(), '--access-log', '/proc/nowhere/x']);
    expect([status, err]).toEqual([3, expect.stringContaining('--access-log /proc/nowhere/x cannot be')]);
  });
});

describe('what serve says when it is ready', () => {
  it.each<[bank: string, lines: RegExp[]]>([
    ['sandbox', [/^Get a token, and list the accounts:\ncurl .* \| sed /m]],
    ['living', [/^Create a consent, and print the address .*:\ncurl .* \| sed /m]],
  ])('says in three lines what matters of the %s bank, and gives one command line', async (bank, lines) => {
    const { text, stop } = await servedHere('--bank', bank);
    const facts = text.split('\n').filter((line) => line.startsWith('  '));
    expect(facts.map((line) => line.trim().split(' ')[0])).toEqual(['bank', 'API', 'page']);
    expect(facts[0]).toContain(`${bank}: `);
    for (const line of lines) expect(text).toMatch(line);
    expect(text.match(/^curl /gm)).toHaveLength(1);
    await stop();
  });

  it('names all with --verbose: bank, source, stance, profile, session and page', async () => {
    const { text, stop } = await servedHere('--bank', 'living', '--stance', 'observe', '--verbose');
    for (const line of [
      /^ {2}page +http:\/\/localhost:\d+ /m,
      /^ {2}bank +living: /m,
      /^ {2}source +emulator$/m,
      /^ {2}stance +observe, profile sandbox$/m,
      /^ {2}session +test, /m,
    ])
      expect(text).toMatch(line);
    await stop();
  });

  it('gives command lines only where the emulator answers them', async () => {
    const bank = 'https://bank.example/psd2';
    const { text, stop } = await servedHere('--upstream', bank);
    expect(text).toMatch(/^ {2}bank +https:\/\/bank\.example\/psd2$/m);
    expect(text).not.toContain('curl');
    await stop();
  });
});
