/** The options of a gateway in a test, and the settings they become. */
import { CONFIG_OPTIONS, type Config, loadConfig } from '../app/index.js';
import type { Profile, Severity, Waiver } from '../rules/index.js';
import { SandgateError, slipOf } from '../spec/index.js';
import type { Moment } from './test-clock.js';

export interface GatewayOptions {
  /** `emulator`, `upstream`, `replay` or a chain; told by `replay` and `upstream` where it is left out. */
  readonly source?: string;
  readonly stance?: 'enforce' | 'observe';
  readonly profile?: Profile;
  /** Which bank the emulator is. */
  readonly bank?: 'sandbox' | 'living';
  /** A cassette or a HAR whose recording answers. */
  readonly replay?: string;
  /** Base address of the bank that answers; more of it stands in `settings`. */
  readonly upstream?: string;
  /** When the gateway's clock starts; from then it runs on. Now, by default. */
  readonly startAt?: Moment;
  /** Severities by rule id. */
  readonly rules?: Readonly<Record<string, Severity>>;
  /** Known findings that let a test pass until a day. */
  readonly waivers?: readonly Waiver[];
  /** Folder of the emulator's accounts and transactions, instead of the built-in ones. */
  readonly data?: string;
  /** Name of the session. */
  readonly session?: string;
  /** Folder of certificates, instead of the ones that all tests of the user share. */
  readonly certs?: string;
  /** Any other setting, by its key in sandgate.config.json: `{ scaLink: 'direct', 'limits.body': '64KiB' }`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Takes the lines of the gateway's log, JSON each; standard error by default. */
  readonly log?: (line: string) => void;
}

const OF_TESTS = {
  listen: '127.0.0.1:0',
  psuListen: '127.0.0.1:0',
  adminListen: '127.0.0.1:0',
  store: ':memory:',
  session: 'test',
  logLevel: 'error',
} as const;

/** Neither variables nor sandgate.config.json count: a test says itself what it stands on. */
export function gatewayConfig(options: GatewayOptions, certs: string): Config {
  const { startAt: _startAt, log: _log, settings = {}, source = sourceOf(options), ...rest } = options;
  const flags = { ...OF_TESTS, ...settings, ...rest, source, certs };
  const known = CONFIG_OPTIONS.map(({ key }) => key);
  for (const key of Object.keys(flags))
    if (!known.includes(key))
      throw new SandgateError('testing.unknown-setting', { key, nearest: slipOf(key, known) });
  return loadConfig({ flags, file: null }).config;
}

function sourceOf({ replay, upstream }: GatewayOptions): string | undefined {
  if (replay !== undefined) return 'replay';
  return upstream === undefined ? undefined : 'upstream';
}
