/** `sandgate demo`: plays a first journey with its mistakes, on a gateway of its own that leaves nothing behind. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { briefOf } from '../../admin/exchanges/index.js';
import { type Config, loadConfig } from '../../app/config/index.js';
import { openDemoTpp, playDemo } from '../../app/demo/index.js';
import { type Sandgate, startSandgate } from '../../app/gateway/index.js';
import { systemParts } from '../../app/system/index.js';
import { callLine, paintFor } from '../calls/call-line.js';
import type { CliContext } from '../context.js';
import { isTerminal, printLine, widthOf } from '../output.js';
import { version } from '../version.js';

export default function demo(context: CliContext): Command {
  return new Command('demo')
    .description('Play a first journey of a TPP, with its mistakes and their mends.')
    .action(() => play(context));
}

const WIDTH = 100;
const MARKS = { step: ['•', null], mistake: ['✗', 'red'], mend: ['✓', 'green'] } as const;

async function play(context: CliContext): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandgate-demo-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // A reader of the output that goes away ends the process at once.
  process.once('exit', remove);
  const free = '127.0.0.1:0';
  const { config } = loadConfig({
    flags: {
      ...{ bank: 'living', session: 'demo', logLevel: 'error' },
      ...{ listen: free, psuListen: free, adminListen: free },
      ...{ certs: join(folder, 'certs'), store: join(folder, 'demo.db') },
    },
    file: null,
  });
  try {
    const parts = systemParts(config.logLevel, (line) => void context.stderr.write(line), context.clock);
    const sandgate = await startSandgate(config, parts, { version: version() });
    try {
      await show(sandgate, config, context);
      if (isTerminal(context.stdout)) await stay(sandgate, context);
    } finally {
      await sandgate.close();
    }
  } finally {
    process.off('exit', remove);
    remove();
  }
}

async function show(sandgate: Sandgate, config: Config, { stdout, env, signal }: CliContext): Promise<void> {
  const paint = paintFor(stdout, env);
  const { tpp, close } = await openDemoTpp(sandgate, config, signal);
  // Narrow enough that the whole reason stands below its call.
  const width = Math.min(widthOf(stdout) ?? WIDTH, WIDTH);
  let shown = 0;
  const showCalls = async (): Promise<void> => {
    await sandgate.recorder.drain();
    for (; shown < tpp.made.length; shown++) {
      const record = await sandgate.store.find(tpp.made[shown] ?? '');
      const page = `${sandgate.urls.admin}/exchanges/${tpp.made[shown]}`;
      if (record !== null) stdout.write(callLine(briefOf(record), { paint, width, page }));
    }
  };
  try {
    for await (const { says, is } of playDemo(tpp)) {
      await showCalls();
      if (signal.aborted) return;
      const [mark, colour] = MARKS[is];
      printLine(stdout, `\n${paint(mark, colour)} ${says}`);
    }
    await showCalls();
  } finally {
    close();
  }
}

async function stay({ urls }: Sandgate, { stdout, signal }: CliContext): Promise<void> {
  printLine(stdout, `\nThe same in a browser, until you stop with Ctrl-C: ${urls.admin}`);
  if (!signal.aborted) await once(signal, 'abort');
}
