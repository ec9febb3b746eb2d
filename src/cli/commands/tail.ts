/** `sandgate tail`: shows calls as they come, out of a store or from a running gateway. */
import { Command } from 'commander';
import type { Brief } from '../../admin/exchanges/index.js';
import { parseFilter } from '../../store/index.js';
import { ADMIN_OPTIONS, openAdminClient } from '../admin-client.js';
import { callJson, callLine, paintFor } from '../calls/call-line.js';
import { followGateway } from '../calls/follow-gateway.js';
import { followStore } from '../calls/follow-store.js';
import type { CliContext } from '../context.js';
import { addOptions, expecting, type FlagsOf } from '../options.js';
import { isTerminal, printLine, widthOf } from '../output.js';
import { send } from '../send.js';
import { STORE_OPTIONS, withStore } from '../sessions-store.js';

const MOST_LINES = 1_000;
const [[admin], config] = ADMIN_OPTIONS;

const OPTIONS = [
  ['--where <FILTER>', 'Show only exchanges that match: status>=400 operation:accounts.* rule:oauth/*'],
  [
    '--lines <N>',
    'Show the last N calls first.',
    {
      read: expecting(
        (text) => (/^\d{1,4}$/.test(text) && Number(text) <= MOST_LINES ? Number(text) : undefined),
        `A whole number from 0 to ${MOST_LINES} is expected.`,
      ),
      fallback: 10,
    },
  ],
  ['--json', 'Print a line of JSON for each.'],
  ...STORE_OPTIONS,
  [admin, 'Follow this running gateway by its admin listener; its token is read from SANDGATE_ADMIN_TOKEN.'],
  config,
] as const;
type Flags = FlagsOf<typeof OPTIONS>;

export default function tail(context: CliContext): Command {
  return addOptions(
    new Command('tail')
      .description(
        'Show calls as they come: of a store that gateways record in, or of one gateway (--admin).',
      )
      .argument(
        '[SESSION]',
        'Name of the session (default: all sessions of a store; with --admin, the gateway’s own session).',
      ),
    OPTIONS,
  ).action((session: string | undefined, flags: Flags) => follow(session, flags, context));
}

async function follow(session: string | undefined, flags: Flags, context: CliContext): Promise<void> {
  const { stdout, stderr, env, signal, clock } = context;
  const { where = '', lines } = flags;
  const paint = paintFor(stdout, env);
  const width = () => (isTerminal(stdout) ? widthOf(stdout) : undefined);
  const textOf = (call: Brief, page: string | null) =>
    flags.json ? callJson(call, page) : callLine(call, { paint, width: width(), page });
  const watch = {
    session,
    where: parseFilter(where),
    lines,
    signal,
    show: (call: Brief, page: string | null) => send(context, textOf(call, page)),
    say: (text: string) => printLine(stderr, text),
  };
  if (flags.admin !== undefined) return followGateway(openAdminClient(flags, context), where, watch);
  return followStore((work) => withStore(flags, context, 'read', work), watch, clock);
}
