/** `sandgate serve`: starts the gateway, says how to reach it, and stops it when asked to. */
import { once } from 'node:events';
import { Command } from 'commander';
import {
  type Config,
  type EffectiveOption,
  type EffectiveRule,
  effectiveRules,
  loadConfig,
} from '../../app/config/index.js';
import { tuneEngine } from '../../app/engine/index.js';
import { INDEX_THREAD, type Sandgate, type StartOptions, startSandgate } from '../../app/gateway/index.js';
import { withOwnRules } from '../../app/own-rules/index.js';
import { systemParts } from '../../app/system/index.js';
import { dateAt } from '../../spec/index.js';
import { storeName } from '../../store/index.js';
import { announce, renderReplaySummary } from '../announce.js';
import { handOnCalls } from '../calls/hand-on-calls.js';
import { areCallsTold, openCallTeller } from '../calls/tell-calls.js';
import { type CliContext, STOPPED } from '../context.js';
import { SETTINGS_FILE } from '../options.js';
import { isTerminal, printJson, printLine, STANDARD_OUTPUT, widthOf } from '../output.js';
import { addSettings, PRINT_CONFIG_FLAG, typedFlags } from '../settings-flags.js';
import { renderTable } from '../table.js';
import { version } from '../version.js';
import { openWorkerLine, slotOf, withAdminPort } from '../worker.js';
import { serveGroup } from '../worker-group.js';

export default function serve(context: CliContext): Command {
  const command = new Command('serve')
    .description('Start the gateway. Without settings: the whole bank of the sandbox, behind mutual TLS.')
    .option(...SETTINGS_FILE)
    .option(...PRINT_CONFIG_FLAG);
  return addSettings(command, true).action(() => serveWith(command, context));
}

export async function serveWith(
  command: Command,
  context: CliContext,
  fixed: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { config: file, printConfig } = command.opts<{ config?: string; printConfig?: boolean }>();
  const again = () => loadConfig({ flags: { ...typedFlags(command), ...fixed }, env: context.env, file });
  const loaded = again();
  const { config, effective } = loaded;
  const settings = { ...loaded, again };
  if (printConfig === true) {
    printConfigOf(effective, await withOwnRules(config), context);
    return;
  }
  tuneEngine();
  const parts = systemParts(config.logLevel, (line) => void context.stderr.write(line), context.clock);
  const onProgress = (text: string) => {
    if (isTerminal(context.stderr)) printLine(context.stderr, text);
  };
  const slot = slotOf(context.env);
  if (slot !== null)
    return serveAsWorker(slot, await withAdminPort(config, slot, context.env), settings, context);
  const teller = await openCallTeller(config, context, parts.log);
  if (config.workers > 1) return serveGroup(config, parts, context, onProgress, teller);
  const sandgate = await unlessStopped(
    startSandgate(config, parts, { onProgress, version: version(), settings, indexThread: INDEX_THREAD }),
    context,
  );
  if (sandgate === null) return;
  const said = saidOn(config, context);
  const reload = () => reloadBySignal(sandgate);
  process.on('SIGHUP', reload);
  const stopTelling = teller.begin(sandgate);
  await runUntilStopped(sandgate, context, () => announce(sandgate, config, said, parts.chance.uuid()));
  await stopTelling();
  process.off('SIGHUP', reload);
  if (sandgate.replay !== null && !config.json)
    said.write(renderReplaySummary(sandgate.replay.report(), widthOf(context.stdout)));
}

/** An access log on standard output has it alone, except for output that a program asked for. */
const saidOn = ({ accessLog, json }: Config, { stdout, stderr }: CliContext): CliContext['stdout'] =>
  accessLog === STANDARD_OUTPUT && !json ? stderr : stdout;

/** The first worker of a group says for all what all would say alike. */
async function serveAsWorker(
  slot: number,
  config: Config,
  settings: StartOptions['settings'],
  context: CliContext,
): Promise<void> {
  const line = openWorkerLine(slot, context.signal);
  const inGroup = { ...context, signal: line.signal };
  let speaks = slot === 0;
  const write = (text: string): void => {
    if (speaks) context.stderr.write(text);
  };
  const parts = systemParts(config.logLevel, write, context.clock);
  // One index is enough: that of the one which is asked.
  const only = slot === 0 ? { indexThread: INDEX_THREAD } : {};
  const sandgate = await unlessStopped(
    startSandgate(config, parts, { member: line.member, version: version(), settings, ...only }),
    inGroup,
  );
  if (sandgate === null) return;
  speaks = true;
  line.signal.addEventListener('abort', () => {
    speaks = slot === 0;
  });
  line.reload(() => reloadBySignal(sandgate));
  const stopTelling = areCallsTold(config, context) ? handOnCalls(sandgate.feed, line.handOn) : null;
  const say = () => announce(sandgate, config, saidOn(config, context), parts.chance.uuid());
  await runUntilStopped(sandgate, inGroup, () => line.started(sandgate, say));
  await stopTelling?.();
  process.disconnect?.();
}

/** null where the program is asked to stop before the gateway has started: nobody waits for a start that hangs. */
async function unlessStopped(
  starting: Promise<Sandgate>,
  { signal, exitWith }: CliContext,
): Promise<Sandgate | null> {
  const stopped = signal.aborted ? null : once(signal, 'abort').then(() => null);
  const started = await Promise.race([starting, stopped]);
  if (started !== null) return started;
  starting.then(
    (late) => late.close(),
    () => {},
  );
  exitWith(STOPPED);
  return null;
}

/** The log has said what keeps it from that, and the gateway goes on as it was. */
function reloadBySignal(sandgate: Sandgate): void {
  sandgate.reload().catch(() => {});
}

async function runUntilStopped(
  sandgate: Sandgate,
  { signal }: CliContext,
  onReady: () => void,
): Promise<void> {
  try {
    onReady();
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await sandgate.close();
  }
}

function printConfigOf(
  effective: readonly EffectiveOption[],
  config: Config,
  { stdout, clock }: CliContext,
): void {
  const given = effective.filter(({ value }) => value !== undefined);
  const shown = ({ option, value }: EffectiveOption) => {
    if (option.secret === true) return '(secret)';
    return typeof value === 'string' ? storeName(value) : value;
  };
  const rules = effectiveRules(config, dateAt(clock()));
  const rulesFrom = effective.find(({ option }) => option.key === 'rules')?.from ?? 'rules';
  if (config.json) {
    printJson(stdout, {
      ...Object.fromEntries(given.map((one) => [one.option.key, { value: shown(one), from: one.from }])),
      severities: Object.fromEntries(
        rules.map((one) => [one.rule.id, severityOf(one, config.profile, rulesFrom)]),
      ),
    });
    return;
  }
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  stdout.write(
    renderTable(
      ['setting', 'value', 'from'],
      given.map((one) => [one.option.key, text(shown(one)), one.from]),
    ),
  );
  printLine(stdout);
  stdout.write(
    renderTable(
      ['rule', 'severity', 'from', 'waived'],
      rules.map((one) => {
        const { value, from, waived = [] } = severityOf(one, config.profile, rulesFrom);
        return [
          one.rule.id,
          value,
          from,
          waived.map(({ until, reason }) => `until ${until}: ${reason}`).join('; '),
        ];
      }),
    ),
  );
}

function severityOf(
  { severity, configured, reason, waivers }: EffectiveRule,
  profile: Config['profile'],
  from: string,
) {
  return {
    value: severity[profile],
    from: configured ? from : reason === null ? `profile ${profile}` : `the bank's profile: ${reason}`,
    ...(waivers.length === 0 ? {} : { waived: waivers }),
  };
}
