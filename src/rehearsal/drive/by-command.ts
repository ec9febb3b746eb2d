/** Drives a journey by a command of the plan: what is to be done as JSON on standard input, where it ended on standard output. */
import { spawn } from 'node:child_process';
import * as z from 'zod';
import { type CommandParts, signalGroup } from '../command.js';
import { callOf } from '../request.js';
import type { Driver, Walk, WalkEnd } from './driver.js';

const LONGEST = 1_048_576;

const ended = z.object({
  url: z.string().max(8_192),
  status: z.int().nullish(),
  text: z.string().optional(),
  problem: z.string().nullish(),
});

export function createCommandDriver(command: string, parts: CommandParts): Driver {
  return { walk: (walk) => run(command, walk, parts), close: async () => undefined };
}

function run(command: string, walk: Walk, { folder, env }: CommandParts): Promise<WalkEnd> {
  const { method, url } = callOf(walk.journey.begin, walk.values);
  const { psu, outcome, leaves, values, signal } = walk;
  return new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      detached: true,
      cwd: folder,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let text = '';
    const done = (end: WalkEnd): void => {
      signal.removeEventListener('abort', late);
      signalGroup(child, 'SIGKILL');
      resolve(end);
    };
    const fail = (problem: string) =>
      done({ url: url.href, status: null, text, problem: `the driver ${problem}` });
    const late = () => fail('did not end in time');
    signal.addEventListener('abort', late);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.length > LONGEST) fail('printed more than 1 MiB');
    });
    child.on('error', ({ message }) => fail(`could not be started: ${message}`));
    child.on('close', (code) => {
      if (code !== 0) return fail(`ended with status ${code}`);
      const end = readEnd(text);
      return end === null ? fail('printed no JSON with url, status and text') : done(end);
    });
    // It may end without reading.
    child.stdin.on('error', () => {});
    child.stdin.end(
      `${JSON.stringify({ begin: { method, url: url.href }, psu, outcome, leaves, values })}\n`,
    );
  });
}

function readEnd(text: string): WalkEnd | null {
  try {
    const read = ended.parse(JSON.parse(text), { jitless: true });
    return {
      url: read.url,
      status: read.status ?? null,
      text: read.text ?? '',
      problem: read.problem ?? null,
    };
  } catch {
    return null;
  }
}
