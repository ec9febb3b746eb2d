/** The settings as a flat list, each with its flag, variable and place in the file. */
import { z } from 'zod';
import { type Config, configSchema } from './config.js';
import type { OptionMeta } from './setting.js';

export interface ConfigOption extends OptionMeta {
  /** Place in the file: `listen`, `limits.body`. */
  readonly key: string;
  /** `--listen`, `--limits-body`. */
  readonly flag: string;
  /** `SANDGATE_LISTEN`, `SANDGATE_LIMITS_BODY`. */
  readonly variable: string;
  readonly isSwitch: boolean;
  /** The heading under which help and docs/configuration.md list it. */
  readonly group: string;
}

/** Headings in the order of help, each with its settings in theirs: what is used most stands first, limits last. */
const GROUPS: readonly (readonly [heading: string, keys: readonly (keyof Config)[]])[] = [
  ['Who answers', ['source', 'sources', 'upstream', 'replay', 'shadow']],
  [
    'Judging',
    ['stance', 'profile', 'rules', 'waivers', 'dailyWindow', 'dailyTimeZone', 'blockedOrganisations'],
  ],
  ['Clock', ['clock', 'clockSpeed']],
  [
    'Listeners',
    [
      'listen',
      'psuListen',
      'psuHttp',
      'adminListen',
      'adminToken',
      'adminTokenFile',
      'actions',
      'apiUrl',
      'psuUrl',
      'proxyProtocolFrom',
    ],
  ],
  ['Client certificates', ['certs', 'trustAnchors', 'crls', 'clientCertHeader', 'clientCertFrom']],
  [
    'Recording',
    [
      ...([
        'store',
        'session',
        'sessionHeader',
        'isolateSessions',
        'pseudonymise',
        'durability',
        'index',
        'workers',
      ] as const),
      ...(['sessionRotateSize', 'sessionRotateEvery', 'keepDays', 'keepSize'] as const),
      ...(['storePasswordFile', 'storeKeyFile', 'storeRead'] as const),
    ],
  ],
  ['Evidence', ['evidenceKey', 'checkpointTo', 'timestampUrl']],
  ['Output', ['headers', 'json', 'callLines', 'accessLog', 'logLevel']],
  [
    'Emulator',
    [
      'bank',
      'bankSeed',
      'bankPsus',
      'bankData',
      'bankNotify',
      'data',
      'scaLink',
      'segment',
      'notificationAllow',
    ],
  ],
  [
    'Bank',
    [
      ...(['upstreamPsu', 'upstreamCert', 'upstreamKey', 'upstreamPassphraseFile'] as const),
      ...(['upstreamPassphrase', 'upstreamCertificates', 'upstreamCa', 'lendCertificate'] as const),
      ...(['rewrite', 'psuProxy', 'recordCap'] as const),
    ],
  ],
  ['Replay', ['match', 'matching', 'dates', 'latency', 'afterLast']],
  ['Limits for clients', ['limits']],
  ['Limits for the bank', ['upstreamLimits']],
  ['Limits for a PostgreSQL store', ['storeLimits']],
];

const kebab = (key: string) =>
  key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('.', '-');

function optionsOf(shape: z.core.$ZodShape, prefix: string, group: string): ConfigOption[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const inner = schema instanceof z.ZodPrefault ? schema.unwrap() : schema;
    if (inner instanceof z.ZodObject) return optionsOf(inner.shape, `${prefix}${name}.`, group);
    const key = `${prefix}${name}`;
    const meta = z.globalRegistry.get(schema) as OptionMeta | undefined;
    if (meta === undefined) throw new TypeError(`the setting ${key} is not described`);
    return {
      ...meta,
      key,
      flag: `--${kebab(key)}`,
      variable: `SANDGATE_${kebab(key).replaceAll('-', '_').toUpperCase()}`,
      isSwitch: typeof meta.fallback === 'boolean',
      group,
    };
  });
}

function optionsByGroup({ shape }: typeof configSchema): ConfigOption[] {
  const grouped = new Set<string>(GROUPS.flatMap(([, keys]) => keys));
  const lone = Object.keys(shape).find((key) => !grouped.has(key));
  if (lone !== undefined) throw new TypeError(`the setting ${lone} is in no group`);
  return GROUPS.flatMap(([group, keys]) =>
    optionsOf(Object.fromEntries(keys.map((key) => [key, shape[key]])), '', group),
  );
}

export const CONFIG_OPTIONS: readonly ConfigOption[] = optionsByGroup(configSchema);

/** Whether it can be given on the command line. */
export function hasFlag({ fileOnly, noFlag }: ConfigOption): boolean {
  return fileOnly !== true && noFlag !== true;
}
