/** `sandgate clock`: shows and moves the clock of a running gateway. */
import { Command } from 'commander';
import type { ShownClock } from '../../admin/index.js';
import { readClockTime, readSignedDuration, readSpeed } from '../../app/config/index.js';
import { inWorld, openAdminClient, WORLD_OPTIONS, type WorldFlags } from '../admin-client.js';
import { clockText } from '../clock-text.js';
import type { CliContext } from '../context.js';
import { addOptions, expecting } from '../options.js';
import { printJson, printLine } from '../output.js';

/** Sends the typed text to the gateway as it is. */
const checked = (read: (text: string) => unknown, expected: string) =>
  expecting((text) => (read(text) === undefined ? undefined : text), expected);

const time = checked(
  readClockTime,
  'A time is expected, as in 2026-01-31T09:00Z, 2026-01-31, +90d or -12h, or real (that of the machine).',
);
const duration = checked(readSignedDuration, 'A duration with its unit is expected, as in 90d, 12h or -1d.');
const speed = checked(readSpeed, 'A speed is expected, as in 1d/1s (a day in each second), 1h/1m or 2.');

export default function clock(context: CliContext): Command {
  const command = new Command('clock').description(
    'Show or move the clock of a running gateway: consents, tokens, daily limits and certificates go by it.',
  );
  const add = (words: string, description: string, isDefault = false) =>
    addOptions(command.command(words, { isDefault }).description(description), WORLD_OPTIONS);
  add('show', 'Show the time, and whether it is the machine’s, frozen or running.', true).action(
    (flags: WorldFlags) => show(undefined, flags, context),
  );
  // `-12h` looks like an option, and is none.
  add('set', 'Set the clock. A frozen clock stays frozen.')
    .allowUnknownOption()
    .argument(
      '<TIME>',
      '2026-01-31T09:00Z, a date, +90d or -12h from what it shows, or real (that of the machine).',
      time,
    )
    .action((now: string, flags: WorldFlags) => show({ now }, flags, context));
  add('advance', 'Move the clock forward, or backwards by -1d.')
    .allowUnknownOption()
    .argument('<DURATION>', '90d, 12h, 30m, 10s.', duration)
    .action((advance: string, flags: WorldFlags) => show({ advance }, flags, context));
  add('freeze', 'Stop the clock.').action((flags: WorldFlags) => show({ mode: 'frozen' }, flags, context));
  add('run', 'Let the clock run on from what it shows.')
    .option('--speed <SPEED>', '1d/1s (a day in each second), 1h/1m or 2; as before where absent.', speed)
    .action((flags: WorldFlags & { readonly speed?: string }) =>
      show({ mode: 'running', speed: flags.speed }, flags, context),
    );
  return command;
}

async function show(change: object | undefined, flags: WorldFlags, context: CliContext): Promise<void> {
  const client = openAdminClient(flags, context);
  const path = inWorld('/api/clock', flags);
  const shown = (await (change === undefined
    ? client.ask({ method: 'GET', path })
    : client.ask({ method: 'PUT', path, body: change }))) as ShownClock;
  if (flags.json) printJson(context.stdout, shown);
  else printLine(context.stdout, clockText(shown));
}
