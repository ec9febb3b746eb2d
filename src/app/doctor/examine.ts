/** The checks of `sandgate doctor`: whether a gateway can start on this machine with these settings. */
import { existsSync } from 'node:fs';
import { ageOf, staleWords } from '../../certificate/index.js';
import { counted, DAY_MS, dialectOf, namedProfile, profileText } from '../../spec/index.js';
import { checkDriver, isInMemory, storeFile, storeName } from '../../store/index.js';
import { listCertificates } from '../certificates/test-certificates.js';
import type { Config } from '../config/config.js';
import { openConfiguredIfAny } from '../config/open-configured.js';
import { megabytes, roomFor } from '../gateway/disk-room.js';
import { withOwnRules } from '../own-rules/index.js';
import { portError } from '../system/index.js';
import { readTrustList } from '../trust-list/read-trust-list.js';
import { bad, type Examination, examineBank, type Finding, good, poor } from './examine-bank.js';

const SOON_DAYS = 30;
/** A clock before the release of this program is wrong. */
const EARLIEST = Date.UTC(2026, 0, 1);

/** Never rejects: what cannot be looked at is `bad`, with the reason. */
export async function examine(config: Config, now: number): Promise<Examination[]> {
  return [
    { name: 'clock', ...examineClock(now) },
    ...examineInterface(config),
    ...(await examineCertificates(config.certs, now)),
    ...examineTrustList(config, now),
    { name: 'port --listen', ...(await examinePort('--listen', config.listen)) },
    { name: 'port --psu-listen', ...(await examinePort('--psu-listen', config.psuListen)) },
    { name: 'port --admin-listen', ...(await examinePort('--admin-listen', config.adminListen)) },
    { name: 'store', ...(await examineStore(config)) },
    ...(await examineOwnRules(config)),
    ...(await examineBank(config, now)),
  ];
}

function examineInterface({ bankProfile: profile, segment }: Config): Examination[] {
  if (profile === undefined) return [];
  const { templates } = dialectOf(profile, segment);
  const offers = `${counted(templates.size, 'operation')} of ${profile.standard}`;
  return [{ name: 'bank profile', ...good(`${profileText(namedProfile(profile))}: ${offers}.`) }];
}

function examineClock(now: number): Finding {
  const time = new Date(now).toISOString();
  if (now >= EARLIEST) return good(`It is ${time}.`);
  return bad(
    `The clock says ${time}, which is before this program was made.`,
    'Set the clock: certificates, tokens and daily limits are judged by it.',
  );
}

async function examineCertificates(dir: string, now: number): Promise<Examination[]> {
  const whole = (finding: Finding) => [{ name: 'certificates', ...finding }];
  if (!existsSync(dir)) return whole(good(`${dir} does not exist yet: the first start creates it.`));
  try {
    const listed = (await listCertificates(dir, now)).filter(({ flaw }) => flaw === null);
    if (listed.length === 0) return whole(good(`${dir} is empty yet: the first start creates them.`));
    const ending = listed
      .map(({ name, facts }) => ({ name, days: Math.floor((Date.parse(facts.notAfter) - now) / DAY_MS) }))
      .filter(({ days }) => days < SOON_DAYS);
    if (ending.length === 0) {
      const count = counted(listed.length, 'certificate is', 'certificates are');
      return whole(good(`${count} in ${dir}, good for ${SOON_DAYS} days or more.`));
    }
    return ending.map(({ name, days }) => ({
      name: `certificate ${name}`,
      state: days < 0 ? ('bad' as const) : ('poor' as const),
      found: days < 0 ? `It ended ${counted(-days, 'day')} ago.` : `It ends in ${counted(days, 'day')}.`,
      advice: 'Test certificates are renewed at start or by sandgate certs init; others by their issuer.',
    }));
  } catch (error) {
    const advice = 'Replace what cannot be read, or delete it to have it created again.';
    return whole(bad((error as Error).message, advice));
  }
}

function examineTrustList(config: Config, now: number): Examination[] {
  const { trustList } = config;
  if (trustList === undefined) return [];
  const name = 'trusted lists';
  try {
    const list = readTrustList({ ...config, trustList });
    const stale = staleWords(list, now);
    const found = `${trustList} names ${counted(list.authorities.length, 'CA')}: ${ageOf(list, now)}.`;
    if (stale === null) return [{ name, ...good(found) }];
    return [{ name, ...poor(`${found} ${stale}`, 'Renew it with sandgate trust update.') }];
  } catch (error) {
    return [{ name, ...bad(error instanceof Error ? error.message : '', '') }];
  }
}

async function examinePort(flag: string, { host, port }: Config['listen']): Promise<Finding> {
  if (port === 0) return good('Any free port will be used.');
  const error = await portError({ host, port });
  if (error === null) return good(`${host}:${port} is free.`);
  return error.code === 'EADDRINUSE'
    ? poor(
        `A program is already listening on ${host}:${port}.`,
        `If it is not a gateway of yours, stop it or choose another port with ${flag}.`,
      )
    : bad(error.message, `Choose another address with ${flag}.`);
}

async function examineOwnRules(config: Config): Promise<Examination[]> {
  const { ownRules = [] } = config;
  if (ownRules.length === 0) return [];
  try {
    const { loadedRules } = await withOwnRules(config);
    const count = loadedRules?.rules.length ?? 0;
    loadedRules?.close();
    const names = ownRules.map(({ name }) => name).join(', ');
    const found = `${counted(count, 'rule')} of ${names} loaded, and the examples give what they say.`;
    return [{ name: 'own rules', ...good(found) }];
  } catch (error) {
    return [{ name: 'own rules', ...bad((error as Error).message, '') }];
  }
}

async function examineStore(config: Config): Promise<Finding> {
  try {
    // Where there is no store yet, nothing else would load it.
    checkDriver(config.store);
  } catch (error) {
    return bad((error as Error).message, '');
  }
  if (isInMemory(config.store)) return good('Nothing is kept on disk.');
  const path = storeFile(config.store);
  const examined = await examineContent(path, config);
  const room = path === null || !existsSync(path) ? null : await roomFor(path);
  if (room === null || examined.state === 'bad') return examined;
  const found = `${examined.found} Its disk has ${megabytes(room.free)} left.`;
  if (!room.isLittle) return { ...examined, found };
  const advice =
    'Free some space, or keep less with --keep-size or --keep-days: when the disk is full, calls are answered 503.';
  return { ...examined, state: 'poor', found, advice };
}

async function examineContent(path: string | null, config: Config): Promise<Finding> {
  const shown = storeName(path ?? config.store);
  try {
    const store = await openConfiguredIfAny(config);
    if (store === null) return good(`${shown} does not exist yet: the first start creates it.`);
    try {
      const sessions = await store.sessions();
      const kept = sessions.reduce((sum, { exchanges }) => sum + exchanges, 0);
      return good(`${shown} holds ${counted(kept, 'exchange')} in ${counted(sessions.length, 'session')}.`);
    } finally {
      await store.close();
    }
  } catch (error) {
    const advice = path === null ? '' : 'Give another one with --store, or move this one away.';
    return bad((error as Error).message, advice);
  }
}
