/** `sandgate bank-profile learn`: proposals for a profile out of recordings, and those that a person accepts. */
import { basename } from 'node:path';
import {
  accept,
  callsInHar,
  createLearner,
  type Proposal,
  proposeSeenPaths,
  type SeenCall,
  withFitting,
} from '../app/bank-profile/index.js';
import { isFile, loadConfig, readBankProfile } from '../app/config/index.js';
import { readText } from '../files/index.js';
import {
  type BankProfile,
  counted,
  dateAt,
  dialectOf,
  resolvedProfile,
  SandgateError,
} from '../spec/index.js';
import type { CliContext } from './context.js';
import { fileToWrite, printJson, printLine } from './output.js';
import { withRecording } from './report-input.js';
import { type StoreFlags, storeFlags } from './sessions-store.js';
import { writeFile } from './write-file.js';

interface Flags extends StoreFlags {
  readonly bankProfile?: string;
  readonly accept?: string;
  readonly out?: string;
  readonly host?: string;
  readonly config?: string;
  readonly json?: true;
}

export async function learn(names: readonly string[], flags: Flags, context: CliContext): Promise<void> {
  const out = fileToWrite(flags.out);
  if ((flags.accept === undefined) !== (out === undefined))
    throw new SandgateError('profile.accept-alone', {});
  const given = flags.bankProfile ?? (out !== undefined && isFile(out) ? out : undefined);
  const base = given === undefined ? undefined : readBankProfile(given);
  const seen = await look(names, base, flags, context);
  const start = base ?? unsaid(out, context);
  const paths = withFitting(start, proposeSeenPaths(seen.calls, dialectOf(base)));
  // Calls below another base are judged once their paths are known.
  const again = paths.proposals.length === 0 ? seen : await look(names, paths.profile, flags, context);
  const { proposals } = withFitting(paths.profile, again.proposals);
  const all = [...paths.proposals, ...proposals];
  if (out === undefined || flags.accept === undefined) print(all, flags, context);
  else await write(out, start, all, flags.accept, names, context);
}

/** A profile that says nothing yet. */
function unsaid(out: string | undefined, { clock }: CliContext): BankProfile {
  const name = basename(out ?? 'learned', '.json')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-');
  return {
    name: name.slice(0, 64) || 'learned',
    title: (name || 'learned').slice(0, 100),
    standard: resolvedProfile().standard,
    date: dateAt(clock()),
    sources: [{ where: 'recordings', tells: 'All of this: learned, and accepted one by one.' }],
  };
}

interface Seen {
  readonly calls: readonly SeenCall[];
  readonly proposals: readonly Proposal[];
}

async function look(
  names: readonly string[],
  profile: BankProfile | undefined,
  flags: Flags,
  { env, clock }: CliContext,
): Promise<Seen> {
  const loaded = loadConfig({
    flags: { ...storeFlags(flags), bankProfile: profile ?? 'sandgate' },
    env,
    file: flags.config,
  });
  const learner = createLearner(dialectOf(profile, loaded.config.segment));
  const calls: SeenCall[] = [];
  for (const name of names)
    await withRecording(
      name,
      { loaded, today: dateAt(clock()), host: flags.host, rejudge: true, trust: {} },
      async ({ source, records }) => {
        if (source.kind === 'har') calls.push(...callsInHar(readText(name), name));
        for await (const record of records) {
          learner.take(record);
          const { method, path } = record.exchange.call.request;
          if (source.kind !== 'har') calls.push({ method, path });
        }
      },
    );
  return { calls, proposals: learner.proposals() };
}

function print(proposals: readonly Proposal[], { json }: Flags, { stdout }: CliContext): void {
  if (json === true) printJson(stdout, proposals);
  else if (proposals.length === 0)
    printLine(stdout, 'The recordings show nothing that the profile does not say.');
  else {
    for (const { id, part, says, sample, operations, ...counts } of proposals) {
      printLine(stdout, `${id}  ${part}, ${confidence(counts)}`);
      printLine(stdout, `  ${says}`);
      if (operations.length > 0) printLine(stdout, `  In ${operations.join(', ')}`);
      if (sample !== null) printLine(stdout, `  Sample: ${sample}`);
    }
    printLine(
      stdout,
      '\nNothing is taken over by itself: --accept ID,ID --out FILE adds those that you name.',
    );
  }
}

const confidence = ({ seen, of }: Pick<Proposal, 'seen' | 'of'>): string =>
  `${seen} of ${counted(of, 'call')}${seen === 1 ? ', seen only once' : ''}`;

async function write(
  out: string,
  base: BankProfile,
  proposals: readonly Proposal[],
  ids: string,
  names: readonly string[],
  { stdout, clock }: CliContext,
): Promise<void> {
  const chosen = ids
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean);
  const profile = accept(base, proposals, chosen, out);
  const told = chosen.map((id) => {
    const one = proposals.find((proposal) => proposal.id === id);
    return one === undefined ? id : `${id} (${confidence(one)})`;
  });
  const source = {
    where: names.join(', ').slice(0, 300),
    tells: `Learned: ${told.join('; ')}.`.slice(0, 500),
  };
  const whole = { ...profile, date: dateAt(clock()), sources: [...profile.sources, source] };
  await writeFile(out, `${JSON.stringify(whole, null, 2)}\n`);
  printLine(stdout, `Written: ${out}, with ${counted(chosen.length, 'proposal')}.`);
}
