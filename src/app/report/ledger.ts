/** The ledger as it was before a session began, because consents and tokens outlive sessions. */
import { type Fingerprint, gatewayNotes } from '../../exchange/index.js';
import { createLedger, type Ledger, learn } from '../../ledger/index.js';
import type { Recipe } from '../../report/index.js';
import type { SessionInfo, Store } from '../../store/index.js';

/** Earlier exchanges that are looked at, the newest. */
const MOST_EARLIER = 50_000;

export interface EarlierLedger {
  readonly ledger: Ledger;
  /** Sessions that it is learned from. */
  readonly sessions: readonly string[];
  /** Earlier sessions that were left aside, because it would take too long. */
  readonly leftAside: number;
}

/** `only` names the sessions that may be looked at, where a report is made again. */
export async function ledgerBefore(
  store: Store,
  session: SessionInfo,
  fingerprint: Fingerprint,
  only?: Recipe['earlier'],
): Promise<EarlierLedger> {
  const ledger = createLedger();
  const { first, sessions, leftAside } = await earlierSessions(store, session, only);
  for (const { name } of sessions) {
    for await (const { exchange } of store.read(name)) {
      if (first === null || exchange.call.id >= first) break;
      learn(ledger, exchange, fingerprint);
    }
  }
  return {
    ledger,
    sessions: sessions.map(({ name }) => name),
    leftAside: only?.leftAside ?? leftAside,
  };
}

interface EarlierSessions {
  /** The first exchange of the session itself. */
  readonly first: string | null;
  readonly sessions: readonly SessionInfo[];
  readonly leftAside: number;
}

/** Those that began before the session, the newest that are not too much to read. */
export async function earlierSessions(
  store: Store,
  session: SessionInfo,
  only?: Recipe['earlier'],
): Promise<EarlierSessions> {
  const first = await firstOf(store, session.name);
  // What happens in a replay is no fact about the TPP, and nothing from outside counts in it.
  if (first === null || isReplay(session)) return { first, sessions: [], leftAside: 0 };
  const others = (await store.sessions())
    .filter(({ name, exchanges }) => name !== session.name && exchanges > 0)
    .filter(({ name }) => only === undefined || only.sessions.includes(name))
    .filter((one) => !isReplay(one) && worldOf(one) === worldOf(session));
  let left = MOST_EARLIER;
  let leftAside = 0;
  const sessions: SessionInfo[] = [];
  for (const one of others.reverse()) {
    if (((await firstOf(store, one.name)) ?? first) >= first) continue;
    left -= one.exchanges;
    if (left < 0) leftAside++;
    else sessions.unshift(one);
  }
  return { first, sessions, leftAside };
}

async function firstOf(store: Store, session: string): Promise<string | null> {
  for await (const { exchange } of store.read(session, { limit: 1 })) return exchange.call.id;
  return null;
}

/** What happens in one is nothing to another; undefined: that of calls that named no session. */
function worldOf({ notes }: SessionInfo): string | undefined {
  return gatewayNotes(notes).find(({ settings }) => settings.world !== undefined)?.settings.world;
}

function isReplay({ notes }: SessionInfo): boolean {
  return gatewayNotes(notes).some(({ settings }) => settings.source?.split(',').includes('replay'));
}
