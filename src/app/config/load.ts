/** Puts the settings together: flags before SANDGATE_* variables before sandgate.config.json before defaults. */
import { existsSync } from 'node:fs';
import { isObject, jsonPath, parseJsonText } from '../../exchange/index.js';
import { readText } from '../../files/index.js';
import { inPlainWords, SandgateError, slipOf } from '../../spec/index.js';
import { type Config, configSchema } from './config.js';
import { checkListeners } from './listeners.js';
import { CONFIG_OPTIONS, type ConfigOption, hasFlag } from './options.js';
import { allSourcesOf, isLoopback, sourcesOf } from './values.js';

export interface ConfigSources {
  /** By key of the setting, as typed. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The file that was asked for; without one, sandgate.config.json is read where it exists. null: no file. */
  readonly file?: string | null | undefined;
}

/** A setting with its value as typed, and where it comes from. */
export interface EffectiveOption {
  readonly option: ConfigOption;
  readonly value: unknown;
  /** `--listen`, `SANDGATE_LISTEN`, `sandgate.config.json`, `the settings` (of a test, without a flag) or `default`. */
  readonly from: string;
}

export interface LoadedConfig {
  readonly config: Config;
  readonly effective: readonly EffectiveOption[];
}

const DEFAULT_FILE = 'sandgate.config.json';
const OTHER_VARIABLES = new Set(['SANDGATE_CONFIG', 'SANDGATE_TOKEN']);

export function loadConfig(sources: ConfigSources = {}): LoadedConfig {
  const env = sources.env ?? {};
  const file = sources.file === null ? NO_FILE : readConfigFile(sources.file ?? env.SANDGATE_CONFIG);
  const unknown = file.unknown.map((key) => unknownSetting(key, file.name));
  refuseUnknownVariables(env);
  const given = CONFIG_OPTIONS.map((option): EffectiveOption => {
    const flag = sources.flags?.[option.key];
    if (flag !== undefined)
      return { option, value: flag, from: hasFlag(option) ? option.flag : 'the settings' };
    const variable = option.fileOnly === true ? undefined : env[option.variable];
    if (variable !== undefined) return { option, value: variable, from: option.variable };
    const written = file.values.get(option.key);
    if (written !== undefined) return { option, value: written, from: file.name };
    return { option, value: option.fallback, from: 'default' };
  });
  const effective = withDefaults(given);
  const parsed = configSchema.safeParse(nest(effective), { error: inPlainWords, jitless: true });
  const [first, ...more] = unknown;
  if (first !== undefined && more.length === 0 && parsed.success) throw first;
  if (!parsed.success || first !== undefined) {
    const problems = [
      ...unknown.map(({ message }) => message),
      ...(parsed.error?.issues ?? []).map(({ path, message }) => describe(effective, path, message)),
    ];
    throw new SandgateError('config.invalid', { problems: [...new Set(problems)].join('\n') });
  }
  return { config: checked(parsed.data), effective };
}

/**
 * Defaults that follow from other settings: whoever names a bank means it to be asked; and a bank that is no emulator has its own
 * way, so that it is only observed.
 */
function withDefaults(given: readonly EffectiveOption[]): EffectiveOption[] {
  const typedOf = (key: string, all: readonly EffectiveOption[]) =>
    all.find(({ option }) => option.key === key)?.value;
  const defaultTo = (key: string, value: string, all: readonly EffectiveOption[]) =>
    all.map((one) => (one.option.key === key && one.from === 'default' ? { ...one, value } : one));
  const sourced =
    typedOf('upstream', given) === undefined ? [...given] : defaultTo('source', 'upstream', given);
  const isEmulated = String(typedOf('source', sourced)).trim().startsWith('emulator');
  return isEmulated ? sourced : defaultTo('stance', 'observe', sourced);
}

function nest(effective: readonly EffectiveOption[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { option, value } of effective) {
    if (value === undefined) continue;
    const [first = '', second] = option.key.split('.');
    if (second === undefined) values[first] = value;
    else values[first] = { ...(values[first] as Record<string, unknown> | undefined), [second]: value };
  }
  return values;
}

function describe(
  effective: readonly EffectiveOption[],
  path: readonly PropertyKey[],
  message: string,
): string {
  const key = path.map(String).join('.');
  const place = jsonPath(path);
  const found = effective.find(({ option }) => key === option.key || key.startsWith(`${option.key}.`));
  if (found === undefined) return message;
  const { option, from } = found;
  const typed = path.slice(option.key.split('.').length).reduce(memberOf, found.value);
  // Of an object only the place is told: something secret may stand in it.
  if (typed === undefined || isObject(typed)) return `${place} in ${from}: ${message}.`;
  const value = option.secret === true ? '…' : JSON.stringify(typed);
  if (from === option.flag) return `${option.flag} ${unquoted(value)}: ${message}.`;
  if (from === option.variable) return `${option.variable}=${unquoted(value)}: ${message}.`;
  return `${place} in ${from} is ${value}: ${message}.`;
}

const memberOf = (value: unknown, name: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[name] : undefined;

const unquoted = (json: string) => (/^"[^\s"]+"$/.test(json) ? json.slice(1, -1) : json);

function refuseUnknownVariables(env: Readonly<Record<string, string | undefined>>): void {
  const known = CONFIG_OPTIONS.filter((option) => option.fileOnly !== true).map((option) => option.variable);
  for (const name of Object.keys(env)) {
    if (!name.startsWith('SANDGATE_') || known.includes(name) || OTHER_VARIABLES.has(name)) continue;
    throw new SandgateError('config.unknown-variable', { name, nearest: slipOf(name, known) });
  }
}

interface ConfigFile {
  readonly name: string;
  readonly values: ReadonlyMap<string, unknown>;
  /** Names in it that are no settings. */
  readonly unknown: readonly string[];
}

const NO_FILE: ConfigFile = { name: DEFAULT_FILE, values: new Map(), unknown: [] };

function readConfigFile(asked: string | undefined): ConfigFile {
  if (asked === undefined && !existsSync(DEFAULT_FILE)) return NO_FILE;
  const name = asked ?? DEFAULT_FILE;
  const content = parseJsonText(readText(name, `The configuration file ${name}`), name);
  if (!isObject(content)) throw new SandgateError('config.no-object', { file: name });
  const unknown: string[] = [];
  return { name, values: new Map(flatten(content, '', unknown)), unknown };
}

const KNOWN = CONFIG_OPTIONS.map((option) => option.key);

const unknownSetting = (key: string, file: string): SandgateError =>
  new SandgateError('config.unknown-setting', { key, file, nearest: slipOf(key, KNOWN) });

function flatten(
  object: Readonly<Record<string, unknown>>,
  prefix: string,
  unknown: string[],
): [string, unknown][] {
  return Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
    const key = `${prefix}${name}`;
    if (key === '$schema') return [];
    if (KNOWN.includes(key)) return [[key, value]];
    if (prefix === '' && KNOWN.some((other) => other.startsWith(`${key}.`)) && isObject(value))
      return flatten(value, `${key}.`, unknown);
    unknown.push(key);
    return [];
  });
}

function checked(config: Config): Config {
  const adminToken = config.adminToken ?? readToken(config.adminTokenFile);
  if (adminToken !== undefined && adminToken.length < 16) throw new SandgateError('config.short-token', {});
  checkListeners(config);
  if ((config.clientCertHeader === undefined) !== (config.clientCertFrom === undefined))
    throw new SandgateError('config.forwarding', {});
  if (config.isolateSessions && !config.sessionHeader) throw new SandgateError('config.isolation', {});
  checkReplay(config);
  checkUpstream(config);
  checkWebhook(config);
  checkClock(config);
  return adminToken === undefined ? config : { ...config, adminToken };
}

function checkUpstream(config: Config): void {
  const { upstream, upstreamCert, upstreamKey, upstreamPassphrase, upstreamPassphraseFile } = config;
  if (upstream === undefined) {
    const settings = {
      '--source upstream': allSourcesOf(config).has('upstream') || undefined,
      upstreams: config.upstreams,
      ...{ upstreamPsu: config.upstreamPsu, upstreamCert, upstreamCa: config.upstreamCa },
      upstreamCertificates: config.upstreamCertificates,
      '--lend-certificate': config.lendCertificate === 'anyone' || undefined,
      '--shadow emulator': config.shadow,
      '--psu-proxy': config.psuProxy || undefined,
    };
    const [setting] = Object.entries(settings).find(([, value]) => value !== undefined) ?? [];
    if (setting !== undefined) throw new SandgateError('config.needs-bank', { setting });
  }
  if (config.lendCertificate === 'anyone' && !isLoopback(config.listen.host))
    throw new SandgateError('config.lends-to-all', { host: config.listen.host });
  if (upstreamCert === undefined && upstreamKey !== undefined)
    throw new SandgateError('config.needs-certificate', { setting: `--upstream-key ${upstreamKey}` });
  if (upstreamCert === undefined && upstreamPassphraseFile !== undefined)
    throw new SandgateError('config.needs-certificate', {
      setting: `--upstream-passphrase-file ${upstreamPassphraseFile}`,
    });
  const shown = upstreamCert ?? config.upstreamCertificates;
  const clear = [upstream, ...Object.values(config.upstreams ?? {})].find((url) => url?.protocol === 'http:');
  if (clear !== undefined && shown !== undefined)
    throw new SandgateError('config.certificate-without-tls', { upstream: String(clear) });
  if (upstreamPassphrase !== undefined && upstreamPassphraseFile !== undefined)
    throw new SandgateError('config.two-passphrases', {});
}

function checkWebhook({ webhook, webhookAllow, webhookSecretFile, otlp, otlpHeadersFile }: Config): void {
  if (webhook === undefined && (webhookAllow ?? webhookSecretFile) !== undefined)
    throw new SandgateError('config.needs-other', {
      setting: webhookAllow === undefined ? '--webhook-secret-file' : '--webhook-allow',
      other: '--webhook URL',
    });
  if (otlp === undefined && otlpHeadersFile !== undefined)
    throw new SandgateError('config.needs-other', { setting: '--otlp-headers-file', other: '--otlp URL' });
}

/** `--clock real` is what a bank has anyway. */
function checkClock(config: Config): void {
  const { clock, clockSpeed } = config;
  if (!allSourcesOf(config).has('upstream')) return;
  if (clock !== undefined && clock.kind !== 'real')
    throw new SandgateError('config.clock-of-bank', { setting: '--clock' });
  if (clockSpeed !== undefined) throw new SandgateError('config.clock-of-bank', { setting: '--clock-speed' });
}

function checkReplay(config: Config): void {
  const sources = sourcesOf(config);
  const answers = allSourcesOf(config).has('replay');
  if (answers && config.replay === undefined) throw new SandgateError('config.needs-recording', {});
  if (!answers && config.replay !== undefined)
    throw new SandgateError('config.needs-replay', { recording: config.replay });
  if (config.afterLast === 'next' && sources.at(-1) === 'replay')
    throw new SandgateError('config.nothing-next', {});
}

const readToken = (file: string | undefined): string | undefined =>
  file === undefined ? undefined : readText(file, `--admin-token-file ${file}`).trim();
