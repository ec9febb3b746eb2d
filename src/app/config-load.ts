/** Puts the settings together: flags before SANDGATE_* variables before sandgate.config.json before defaults. */
import { readFileSync } from 'node:fs';
import { jsonPath, parseJsonText } from '../exchange/index.js';
import { inPlainWords, nearestOf, SandgateError, unreadable } from '../spec/index.js';
import { type Config, configSchema } from './config.js';
import { checkListeners } from './config-listeners.js';
import { CONFIG_OPTIONS, type ConfigOption } from './config-options.js';
import { allSourcesOf, isLoopback, sourcesOf } from './config-values.js';

export interface ConfigSources {
  /** By key of the setting, as typed. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The file that was asked for; without one, sandgate.config.json is read where it exists. null: no file. */
  readonly file?: string | null;
}

/** A setting with its value as typed, and where it comes from. */
export interface EffectiveOption {
  readonly option: ConfigOption;
  readonly value: unknown;
  /** `--listen`, `SANDGATE_LISTEN`, `sandgate.config.json` or `default`. */
  readonly from: string;
}

export interface LoadedConfig {
  readonly config: Config;
  readonly effective: readonly EffectiveOption[];
}

const DEFAULT_FILE = 'sandgate.config.json';
/** Variables that are read elsewhere. */
const OTHER_VARIABLES = new Set(['SANDGATE_CONFIG', 'SANDGATE_TOKEN']);

export function loadConfig(sources: ConfigSources = {}): LoadedConfig {
  const env = sources.env ?? {};
  const file = sources.file === null ? NO_FILE : readConfigFile(sources.file ?? env.SANDGATE_CONFIG);
  refuseUnknownVariables(env);
  const given = CONFIG_OPTIONS.map((option): EffectiveOption => {
    const flag = sources.flags?.[option.key];
    if (flag !== undefined) return { option, value: flag, from: option.flag };
    const variable = option.fileOnly === true ? undefined : env[option.variable];
    if (variable !== undefined) return { option, value: variable, from: option.variable };
    const written = file.values.get(option.key);
    if (written !== undefined) return { option, value: written, from: file.name };
    return { option, value: option.fallback, from: 'default' };
  });
  const sourced = given.map((one) => withSource(one, given));
  const effective = sourced.map((one) => withStance(one, sourced));
  const parsed = configSchema.safeParse(nest(effective), { error: inPlainWords });
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => describe(effective, path, message));
    throw new SandgateError('usage', [...new Set(problems)].join('\n'));
  }
  return { config: checked(parsed.data), effective };
}

/** Whoever names a bank means it to be asked. */
function withSource(one: EffectiveOption, all: readonly EffectiveOption[]): EffectiveOption {
  if (one.option.key !== 'source' || one.from !== 'default') return one;
  const upstream = all.find(({ option }) => option.key === 'upstream')?.value;
  return upstream === undefined ? one : { ...one, value: 'upstream' };
}

/** A bank that is no emulator has its own way: without a word on it, it is only observed. */
function withStance(one: EffectiveOption, all: readonly EffectiveOption[]): EffectiveOption {
  if (one.option.key !== 'stance' || one.from !== 'default') return one;
  const source = all.find(({ option }) => option.key === 'source')?.value;
  return String(source).trim().startsWith('emulator') ? one : { ...one, value: 'observe' };
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

/** One sentence that names what was typed, and where. */
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
    throw new SandgateError(
      'usage',
      `The variable ${name} is no setting; the nearest one is ${nearestOf(name, known)}.`,
    );
  }
}

interface ConfigFile {
  readonly name: string;
  readonly values: ReadonlyMap<string, unknown>;
}

const NO_FILE: ConfigFile = { name: DEFAULT_FILE, values: new Map() };

function readConfigFile(asked: string | undefined): ConfigFile {
  const name = asked ?? DEFAULT_FILE;
  let text: string;
  try {
    text = readFileSync(name, 'utf8');
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    if (missing && asked === undefined) return { name, values: new Map() };
    throw unreadable(`The configuration file ${name}`, cause);
  }
  const content = parseJsonText(text, name);
  if (!isObject(content)) throw new SandgateError('input', `${name} must hold a JSON object of settings.`);
  return { name, values: new Map(flatten(content, '', name)) };
}

function flatten(object: Record<string, unknown>, prefix: string, file: string): [string, unknown][] {
  const known = CONFIG_OPTIONS.map((option) => option.key);
  return Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
    const key = `${prefix}${name}`;
    if (key === '$schema') return [];
    if (known.includes(key)) return [[key, value]];
    if (prefix === '' && known.some((other) => other.startsWith(`${key}.`)) && isObject(value))
      return flatten(value, `${key}.`, file);
    throw new SandgateError(
      'usage',
      `${key} in ${file} is no setting; the nearest one is ${nearestOf(key, known)}.`,
    );
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What holds between settings, and the token out of its file. */
function checked(config: Config): Config {
  const adminToken = config.adminToken ?? readToken(config.adminTokenFile);
  const refuse = (message: string): never => {
    throw new SandgateError('usage', message);
  };
  if (adminToken !== undefined && adminToken.length < 16)
    refuse('The admin token is too short: give it 16 characters or more.');
  checkListeners(config, refuse);
  if ((config.clientCertHeader === undefined) !== (config.clientCertFrom === undefined))
    refuse('--client-cert-header and --client-cert-from go together: the form, and whom to believe.');
  checkReplay(config, refuse);
  checkUpstream(config, refuse);
  return adminToken === undefined ? config : { ...config, adminToken };
}

function checkUpstream(config: Config, refuse: (message: string) => never): void {
  const { upstream, upstreamCert, upstreamKey, upstreamPassphrase, upstreamPassphraseFile } = config;
  if (upstream === undefined) {
    if (allSourcesOf(config).has('upstream')) refuse('--source upstream needs a bank: --upstream URL.');
    const lone = (['upstreamPsu', 'upstreamCert', 'upstreamCa', 'upstreamCertificates'] as const).find(
      (key) => config[key] !== undefined,
    );
    if (lone !== undefined) refuse(`${lone} is for a bank: name it with --upstream URL.`);
    if (config.lendCertificate === 'anyone')
      refuse('--lend-certificate is for a bank: name it with --upstream URL.');
    if (config.shadow !== undefined)
      refuse('--shadow emulator compares it with a bank: name that with --upstream URL.');
    if (config.psuProxy) refuse('--psu-proxy shows the pages of a bank: name it with --upstream URL.');
  }
  if (config.lendCertificate === 'anyone' && !isLoopback(config.listen.host))
    refuse(
      `--lend-certificate anyone: it lends the certificate to everybody who reaches ${config.listen.host}; listen on a loopback address, or name the CAs of your callers with --trust-anchors.`,
    );
  if (upstreamCert === undefined && upstreamKey !== undefined)
    refuse(`--upstream-key ${upstreamKey} is the key of a certificate: name that with --upstream-cert.`);
  if (upstreamCert === undefined && upstreamPassphraseFile !== undefined)
    refuse(
      `--upstream-passphrase-file ${upstreamPassphraseFile} is for a key or a PKCS#12 file: name that with --upstream-cert.`,
    );
  const shown = upstreamCert ?? config.upstreamCertificates;
  if (upstream?.protocol === 'http:' && shown !== undefined)
    refuse(
      `A client certificate is only shown over TLS: name the bank by an https address, not ${upstream}.`,
    );
  if (upstreamPassphrase !== undefined && upstreamPassphraseFile !== undefined)
    refuse('The passphrase comes from --upstream-passphrase-file or SANDGATE_UPSTREAM_PASSPHRASE, not both.');
}

function checkReplay(config: Config, refuse: (message: string) => never): void {
  const sources = sourcesOf(config);
  const answers = allSourcesOf(config).has('replay');
  if (answers && config.replay === undefined)
    refuse('--source replay needs a recording: --replay SESSION, or --replay FILE.');
  if (!answers && config.replay !== undefined)
    refuse(
      `--replay ${config.replay} is asked by --source replay only: add that, or --source replay,emulator.`,
    );
  if (config.afterLast === 'next' && sources.at(-1) === 'replay')
    refuse('--after-last next needs a source to ask next, as in --source replay,emulator.');
}

function readToken(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw unreadable(`--admin-token-file ${file}`, cause);
  }
}
