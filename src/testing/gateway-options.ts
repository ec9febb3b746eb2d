/** The options of a gateway in a test, and the settings they become. */
import { CONFIG_OPTIONS, type Config, loadConfig } from '../app/index.js';
import { SandgateError, slipOf } from '../spec/index.js';
import type { GatewayOptions } from './types.js';

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
