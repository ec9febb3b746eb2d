/** Reads certificates, lists, rules and routes again while the gateway runs: all of them, or none. */
import { isDeepStrictEqual } from 'node:util';
import type { ShownChange } from '../../admin/index.js';
import { SandgateError } from '../../spec/index.js';
import type { Config } from '../config/config.js';
import type { LoadedConfig } from '../config/load.js';
import type { SystemParts } from '../system/system-parts.js';

export type Change = ShownChange;

export interface Prepared {
  readonly changes: readonly Change[];
  /** Makes it count; never throws. */
  readonly commit: () => void;
}

/** Reads what belongs to it, and checks it, without changing anything. Throws a SandgateError that names what is wrong. */
export type Prepare = (next: Config) => Prepared | Promise<Prepared>;

/** Settings that may have another value afterwards. */
const READ_AGAIN: ReadonlySet<string> = new Set<keyof Config>([
  'trustAnchors',
  'crls',
  'trustList',
  'trustListKey',
  'register',
  'upstreamCert',
  'upstreamKey',
  'upstreamPassphraseFile',
  'upstreamCertificates',
  'upstreamCa',
  'rules',
  'waivers',
  'ownRules',
  'sources',
]);

export interface ReloadParts {
  readonly config: Config;
  /** The settings as they were read; `again` reads them again. Absent: they stay as they are. */
  readonly settings?: (LoadedConfig & { readonly again: () => LoadedConfig }) | undefined;
  readonly prepare: readonly Prepare[];
  readonly log: SystemParts['log'];
}

/** One after the other, where several are asked for at a time. Rejects with a SandgateError if nothing changes. */
export function createReload({ config, settings, prepare, log }: ReloadParts) {
  async function reload(): Promise<readonly Change[]> {
    try {
      const next = settings === undefined ? config : nextOf(settings);
      const prepared: Prepared[] = [];
      for (const one of prepare) prepared.push(await one(next));
      // From here on nothing waits and nothing fails: no call meets one half.
      for (const { commit } of prepared) commit();
      const changes = prepared.flatMap((one) => one.changes);
      const told = changes.map(({ part, says }) => `${part}: ${says}`);
      log.info({ changes: told }, 'Certificates, lists, rules and routes were read again.');
      return changes;
    } catch (error) {
      log.error(
        { error: error instanceof Error ? error.message : String(error) },
        'Nothing was changed: not all of certificates, lists, rules and routes can be used.',
      );
      throw error;
    }
  }
  let last: Promise<unknown> = Promise.resolve();
  return (): Promise<readonly Change[]> => {
    const one = last.then(reload);
    last = one.catch(() => {});
    return one;
  };
}

function nextOf({ config, effective, again }: NonNullable<ReloadParts['settings']>): Config {
  const next = again();
  const fixed = next.effective.flatMap(({ option: { key }, value }, at) =>
    READ_AGAIN.has(key) || isDeepStrictEqual(value, effective[at]?.value) ? [] : [key],
  );
  if (!fixed.includes('bankProfile') && !isDeepStrictEqual(next.config.bankProfile, config.bankProfile))
    fixed.push('bankProfile');
  if (fixed.length > 0) throw new SandgateError('reload.needs-start', { settings: fixed.join(', ') });
  return next.config;
}
