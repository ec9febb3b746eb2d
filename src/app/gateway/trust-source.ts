/** The trust of the gateway: read at the start, and again when it is told to. */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import {
  createTrust,
  type NamedFile,
  openRegister,
  type Responses,
  staleWords,
  type Trust,
} from '../../certificate/index.js';
import { readBytes } from '../../files/index.js';
import { configuredTime } from '../clock/clock-settings.js';
import type { Config } from '../config/config.js';
import type { SystemParts } from '../system/system-parts.js';
import { readTrustList } from '../trust-list/read-trust-list.js';
import type { Prepared } from './reload.js';

/** The CA and the revocation list of the certificates' folder are trusted besides those configured. */
export function createTrustSource(
  config: Config,
  responses: Responses | undefined,
  { clock, log }: Pick<SystemParts, 'clock' | 'log'>,
) {
  let inForce = readTrust(config, responses);
  const warnOfStaleLists = (): void => {
    const { list } = inForce.trust;
    const stale = list === undefined ? null : staleWords(list, configuredTime(config, clock()));
    if (stale !== null) log.warn({}, `${stale} Renew the snapshot with sandgate trust update.`);
  };
  warnOfStaleLists();
  return {
    trust: (): Trust => inForce.trust,
    /** Throws a SandgateError where a file cannot be read. */
    prepare: (next: Config): Prepared => {
      const read = readTrust(next, responses);
      const changes = differences(inForce.digests, read.digests);
      return {
        changes: changes.map((says) => ({ part: 'trust', says })),
        commit: () => {
          // Who calls is looked at again by another trust only.
          if (changes.length > 0) inForce = read;
          warnOfStaleLists();
        },
      };
    },
  };
}

function readTrust(config: Config, responses: Responses | undefined) {
  const digests = new Map<string, string>();
  const named = (name: string): NamedFile => {
    const bytes = readBytes(name);
    digests.set(name, hash('sha256', bytes));
    return { name, bytes };
  };
  const { trustList, register: registerFile } = config;
  const register =
    registerFile === undefined ? undefined : openRegister(named(registerFile).bytes, registerFile);
  const list = trustList === undefined ? undefined : readTrustList({ ...config, trustList });
  if (trustList !== undefined && list !== undefined) digests.set(trustList, list.digest);
  const anchors = [join(config.certs, 'ca.pem'), ...(config.trustAnchors ?? [])].map(named);
  const crls = [join(config.certs, 'ca.crl'), ...(config.crls ?? [])].map(named);
  return { trust: createTrust({ anchors, crls, register, list, responses }), digests };
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const came = [...after].flatMap(([name, digest]) => {
    if (!before.has(name)) return [`${name} counts as well`];
    return before.get(name) === digest ? [] : [`${name} is another one`];
  });
  return [
    ...came,
    ...[...before.keys()].filter((name) => !after.has(name)).map((name) => `${name} counts no more`),
  ];
}
