/** `sandgate bundle`: a session with its report and evidence in one file, which can be checked anywhere. */
import { Command } from 'commander';
import { bundleOf, filesOf, type SessionStore, withSessionStore } from '../../app/bundle/index.js';
import { type LoadedConfig, storeKeyFile } from '../../app/config/index.js';
import { drawReport } from '../../app/report/index.js';
import { openSigner } from '../../evidence/index.js';
import { type Pieces, readText } from '../../files/index.js';
import type { Report } from '../../report/index.js';
import { counted, dateAt, SandgateError } from '../../spec/index.js';
import { type CopiedKeys, copySession } from '../../store/index.js';
import type { CliContext } from '../context.js';
import { addOptions, type FlagsOf, SETTINGS_FILE } from '../options.js';
import { fileToWrite, printLine } from '../output.js';
import { loadJudging, OWN_RULES, ownRulesFlags } from '../own-rules-flags.js';
import { createProgress } from '../progress.js';
import { openSession, TRUST_OPTIONS, unsignedText } from '../report-input.js';
import { sendAll } from '../send.js';
import { STORE_OPTIONS, sessionOf, storeFlags, withStore } from '../sessions-store.js';
import { writeFile } from '../write-file.js';
import { isBroken } from '../write-report.js';
import { applyGate, askForCheckpoint, HEAD_OPTIONS, headOf, REQUIRED } from './report.js';

const OPTIONS = [
  ['--out <FILE>', 'File to write (default: SESSION.zip).'],
  ['--sign <KEY>', 'Private key (PEM) that signs the manifest, and with it every file.'],
  [
    '--profile <PROFILE>',
    'Judge again under this profile, if it was recorded under another.',
    { choices: ['sandbox', 'production'] },
  ],
  [
    '--with-keys',
    'Of an enciphered session, let whoever has the bundle read the contents: it holds their keys (default: the cipher alone).',
  ],
  ['--require <LEVEL>', 'Level of evidence without which the exit status is 1.', { choices: REQUIRED }],
  [
    '--admin <URL>',
    'Admin listener of the gateway that records, which signs a checkpoint first (default: that of serve, if it runs).',
  ],
  ...HEAD_OPTIONS,
  SETTINGS_FILE,
  ...OWN_RULES,
  ...TRUST_OPTIONS,
  ...STORE_OPTIONS,
] as const;
type Flags = FlagsOf<typeof OPTIONS>;

export default function bundle(context: CliContext): Command {
  return addOptions(
    new Command('bundle')
      .description(
        'Write a session with its report and evidence into one ZIP file, which sandgate verify checks anywhere.',
      )
      .argument('<SESSION>', 'Name of the session.'),
    OPTIONS,
  ).action((name: string, flags: Flags) => makeBundle(name, flags, context));
}

async function makeBundle(name: string, flags: Flags, context: CliContext): Promise<void> {
  const signer = flags.sign === undefined ? undefined : openSigner(readText(flags.sign), flags.sign);
  const { profile, certs, config: file } = flags;
  const set = { ...storeFlags(flags), ...ownRulesFlags(flags), profile, certs };
  const loaded = await loadJudging({ flags: set, env: context.env, file }, context);
  await withStore(flags, context, 'read', (store, path) => sessionOf(store, name, path));
  await askForCheckpoint(name, flags, context);
  const { store: address, storePasswordFile: passwordFile } = loaded.config;
  const from = { address, passwordFile, keyFile: storeKeyFile(loaded.config) };
  let keys: CopiedKeys = { all: 0, open: 0 };
  await withSessionStore(
    async (path) => {
      keys = await copySession(from, name, path, flags.withKeys === true);
    },
    async (opened) => {
      const made = await reportOn(opened, name, loaded, flags, context);
      const files = await filesOf(opened, made);
      const bytes = untilStopped(bundleOf(files, made, isBroken(made) ? undefined : signer), context);
      const out = flags.out === undefined ? `${name}.zip` : fileToWrite(flags.out);
      if (out === undefined) await sendAll(context, bytes);
      else {
        await writeFile(out, bytes);
        const { exchanges } = made.head.recording;
        printLine(context.stdout, made.evidence.sentence);
        printLine(context.stdout, `Wrote ${counted(exchanges, 'exchange')} of ${name} to ${out}.`);
      }
      tellReadable(keys, context);
      const unsigned = unsignedText(made, loaded, flags);
      if (unsigned !== null) printLine(context.stderr, unsigned);
      applyGate(made, flags, context);
    },
  );
}

/** On standard error: the bundle itself may go to standard output. */
function tellReadable({ all, open }: CopiedKeys, { stderr }: CliContext): void {
  if (all === 0) return;
  printLine(
    stderr,
    open > 0
      ? 'Warning: the session is enciphered, and the bundle holds the keys of its contents. Whoever has the bundle can read all of it, personal data too, and sandgate erase does not reach it.'
      : 'The session is enciphered, and the bundle holds no keys: whoever has it can verify it, and reads times, operations, status and verdicts. With --with-keys, and the store’s key at hand, it can be read in full.',
  );
}

/** A signal ends it: there is no half of a bundle. */
async function* untilStopped(bytes: Pieces, { signal }: CliContext): AsyncGenerator<string | Uint8Array> {
  for await (const piece of bytes) {
    if (signal.aborted) throw new SandgateError('run.interrupted', { what: 'the bundle was not written' });
    yield piece;
  }
}

/** Made of the copy, as whoever verifies the bundle makes it again: of earlier sessions neither knows. */
async function reportOn(
  { store, path }: SessionStore,
  name: string,
  loaded: LoadedConfig,
  flags: Flags,
  context: CliContext,
): Promise<Report> {
  const session = await sessionOf(store, name, path);
  const today = dateAt(context.clock());
  const opened = await openSession(store, session, { loaded, today, trust: flags });
  for (const text of opened.advice) printLine(context.stderr, text);
  const progress = createProgress('Reading the recording', opened.expected, context);
  return drawReport(opened, headOf(flags, context), progress.step).finally(progress.end);
}
