/** The emulator as configured, with both its banks. */
import {
  createEmulator,
  createLivingBank,
  type Emulator,
  type EmulatorParts,
  type LinksParts,
  type Notifier,
  readSandboxData,
} from '../../answer/index.js';
import type { Population } from '../../bank/index.js';
import { createRecentCache } from '../../exchange/index.js';
import { BUILT_IN_DATA } from '../built.js';
import type { Config } from '../config/config.js';
import type { SystemParts } from '../system/system-parts.js';
import { isAdminShown, type Urls } from './addresses.js';
import type { Switches } from './switches.js';

const TOKEN_BYTES = 48;

/** §Versioning 3: the discovery link is the sandbox's, and not yet production's. */
export function linksParts(
  { segment, adminListen }: Config,
  urls: () => Urls,
  current: Switches['current'],
): LinksParts {
  return {
    // Each link of an answer asks: usually nothing is made anew for it.
    urls: () => {
      const known = urls();
      return isAdminShown(adminListen, known) ? known : { api: known.api, psu: known.psu };
    },
    segment,
    scaLink: () => {
      const { scaLink, profile } = current();
      if (scaLink !== 'by-profile') return scaLink;
      return profile === 'production' ? 'direct' : 'discovery';
    },
  };
}

/** Calls of which it is known that their notification was taken: those that are answered anew follow soon. */
const CALLS = 1_000;

function onceForCall(notify: Notifier['notify']): EmulatorParts['onNotification'] {
  const taken = createRecentCache<string, true>(CALLS);
  return (notification, call) => {
    if (taken.get(call) === true) return null;
    const refusal = notify(notification);
    if (refusal === null) taken.set(call, true);
    return refusal;
  };
}

/** The bank that is in force; both are there from the start, since it may be switched. */
export function createConfiguredEmulator(
  config: Config,
  {
    chance,
    fingerprint,
    addresses,
    notifier,
    population,
    switches,
  }: Pick<SystemParts, 'chance'> &
    Pick<EmulatorParts, 'fingerprint'> & {
      readonly addresses: LinksParts;
      readonly notifier: Notifier;
      readonly population: Population;
      readonly switches: Switches['current'];
    },
): Emulator {
  const shared: EmulatorParts = {
    data: readSandboxData(config.data ?? BUILT_IN_DATA),
    ...addresses,
    ids: { token: () => Buffer.from(chance.bytes(TOKEN_BYTES)).toString('hex'), authorisation: chance.uuid },
    fingerprint,
    onNotification: onceForCall(notifier.notify),
  };
  const sandbox = createEmulator(shared);
  const living = createLivingBank({
    ...shared,
    sandbox,
    population,
    notifies: (uri) => config.bankNotify === 'all' && notifier.takes(uri),
    scaLinkMs: config.bankScaTime,
  });
  const banks = { sandbox, living };
  const askChosenBank: Emulator['answer'] = (call, context) => banks[switches().bank].answer(call, context);
  return { ...living, answer: askChosenBank };
}
