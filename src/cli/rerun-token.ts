/** Gets access tokens for a rerun: from a file or variable, where the process list does not show it, or from a command. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Lender, LentToken } from '../app/rerun/index.js';
import { readText } from '../files/index.js';
import { SandgateError } from '../spec/index.js';
import type { CliContext } from './context.js';
import type { FlagsOf } from './options.js';

const VARIABLE = 'SANDGATE_TOKEN';
/** RFC 6750 2.1 */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;
const LONGEST = 16_384;
/** Somebody may have to authorise in a browser meanwhile. */
const COMMAND_MS = 300_000;

export const TOKEN_OPTIONS = [
  ['--token <TOKEN>', 'Access token to use if this run gets none: @FILE, or the variable SANDGATE_TOKEN.'],
  [
    '--token-command <COMMAND>',
    'Shell command that gets the tokens of a bank; it reads JSON on standard input that says for which consent or payment.',
    { conflicts: 'token' },
  ],
  ['--consent <ID>', 'Consent of that token (default: that of the recording).'],
] as const;

/** undefined where there is none. What is wrong with a token is said without it. */
export function openLender(
  { token: flag, tokenCommand, consent }: FlagsOf<typeof TOKEN_OPTIONS>,
  { env, signal }: Pick<CliContext, 'env' | 'signal'>,
  commandMs = COMMAND_MS,
): Lender | undefined {
  if (tokenCommand !== undefined) {
    const ask: Lender['ask'] = async (need) => {
      const printed = await printedBy(tokenCommand, JSON.stringify(need), { env, signal, commandMs });
      return typeof printed === 'string' ? readPrinted(printed) : printed;
    };
    return { ask, authorises: true };
  }
  const from = flag ?? env[VARIABLE];
  if (from === undefined || from === '') {
    if (consent === undefined) return undefined;
    throw new SandgateError('rerun.consent-alone', { variable: VARIABLE });
  }
  const token = flag?.startsWith('@') ? readText(flag.slice(1)).trim() : from;
  if (!isToken(token)) throw new SandgateError('rerun.token', {});
  return { ask: async () => ({ token, consent: consent ?? null }), authorises: false };
}

const isToken = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LONGEST && TOKEN.test(value);

/** A token alone, or JSON with `access_token` and perhaps `consentId`, as the answer of a token endpoint has it. */
function readPrinted(text: string): LentToken | { readonly problem: string } {
  let read: { access_token?: unknown; consentId?: unknown };
  try {
    read = text.startsWith('{') ? JSON.parse(text) : { access_token: text };
  } catch {
    return { problem: 'the token command printed JSON that cannot be read' };
  }
  const { access_token: token, consentId } = read;
  if (!isToken(token)) return { problem: 'the token command printed no access token' };
  return { token, consent: typeof consentId === 'string' ? consentId : null };
}

interface CommandParts extends Pick<CliContext, 'env' | 'signal'> {
  readonly commandMs: number;
}

/**
 * What a command of the shell prints. What it is told, a bank may have said: it is in standard input, never in the
 * command. Its standard error is the user's.
 */
function printedBy(
  command: string,
  told: string,
  { env, signal, commandMs }: CommandParts,
): Promise<string | { readonly problem: string }> {
  return new Promise((resolve) => {
    // A group of its own: what the shell has started ends with it.
    const child = spawn(command, { shell: true, detached: true, env, stdio: ['pipe', 'pipe', 'inherit'] });
    const done = (printed: string | { readonly problem: string }): void => {
      clearTimeout(late);
      signal.removeEventListener('abort', interrupt);
      resolve(printed);
    };
    const fail = (problem: string): void => done({ problem: `the token command ${problem}` });
    const end = (problem: string): void => {
      fail(problem);
      endGroup(child);
      child.stdout.destroy();
    };
    const late = setTimeout(() => end(`has not ended after ${commandMs / 1000} s`), commandMs);
    const interrupt = (): void => end('was interrupted');
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.length > 4 * LONGEST) end('printed more than a token');
    });
    child.on('error', () => fail('could not be started'));
    child.on('close', (code, ended) =>
      code === 0 ? done(text.trim()) : fail(`ended with ${ended ?? `status ${code}`}`),
    );
    // It may end without reading.
    child.stdin.on('error', () => {});
    child.stdin.end(`${told}\n`);
    if (signal.aborted) interrupt();
    else signal.addEventListener('abort', interrupt);
  });
}

function endGroup(child: ChildProcess): void {
  try {
    // A command that ignores SIGTERM would hold this process beyond its time.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Windows has no groups, and a group that has ended has no process.
    child.kill('SIGKILL');
  }
}
