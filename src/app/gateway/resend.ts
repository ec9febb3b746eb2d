/** Sends a recorded call once more, through the gateway's own listener and with a test certificate, over real TLS. */
import { randomUUID } from 'node:crypto';
import { headersToSend, type ResendPort, type ResendWanted } from '../../admin/index.js';
import { bytesOfBody, type Call, type HeaderList, withoutOrigin } from '../../exchange/index.js';
import { SandgateError } from '../../spec/index.js';
import type { Store } from '../../store/index.js';
import type { Certificates } from '../certificates/ensure.js';
import { listCertificates } from '../certificates/test-certificates.js';
import type { Identity, Sender, SenderParts } from '../rerun/sender.js';
import { openTestIdentities } from '../rerun/test-identities.js';
import { createFillToken, type FillParts } from './fill-token.js';
import { createOwnTpp, identityNamed, makeJourney, OWN_TPP, openOwnSender } from './own-tpp.js';

const MOST = 4;
/** Certificates of the folder that are no TPP's. */
const NOT_OF_TPPS: ReadonlySet<string> = new Set(['ca', 'server']);

/**
 * `certificates` are the gateway's own, now; `urls` are those of the listeners themselves,
 * whatever name others reach them by; `clock` is the machine's, epoch ms. What the bank is shown (`ofBank`: fingerprints) is
 * never lent. `areNamed`: answers name their exchange.
 */
export function createResend(
  parts: FillParts & {
    readonly store: Pick<Store, 'find'>;
    readonly certificates: () => Pick<Certificates, 'dir' | 'caPem'>;
    readonly clock: () => number;
    readonly ofBank: () => readonly string[];
    readonly areNamed: boolean;
    /** By which the gateway knows its own calls. */
    readonly mark: NonNullable<SenderParts['mark']>;
    /** Whether the emulator answers all calls of one. */
    readonly canMakeJourney: () => boolean;
  },
): ResendPort {
  const withToken = createFillToken(parts);
  let underWay = 0;
  const send = async (sender: Sender, id: string, wanted: ResendWanted): Promise<string> => {
    const call = (await parts.store.find(id))?.exchange.call;
    if (call === undefined)
      throw new SandgateError('exchange.unknown', { where: 'The store', id: id.slice(0, 100) });
    if (call.direction !== 'to-bank' || call.request.method === '')
      throw new SandgateError('resend.no-call', { id: call.id });
    return sendBy(sender, call, wanted);
  };

  async function sendBy(sender: Sender, call: Call, wanted: ResendWanted): Promise<string> {
    const isPsu = call.listener === 'psu';
    const origin = isPsu ? parts.urls.psu : parts.urls.api;
    const target = wanted.target ?? withoutOrigin(call.request.target);
    const url = new URL(origin + (target.startsWith('/') ? target : `/${target}`));
    const identity = isPsu ? null : await identityOf(call, wanted);
    const headers = headersOf(call, wanted);
    const body = bodyOf(call, wanted);
    const received = await sender.send({
      ...{ method: wanted.method ?? call.request.method, url, body, identity, repeatable: false },
      headers: isPsu ? headers : await withToken(headers, { sender, session: call.session, identity }),
    });
    if ('problem' in received) throw new SandgateError('resend.unanswered', { why: received.problem });
    const exchange = received.answer.header['sandgate-exchange'];
    if (exchange === undefined) throw new SandgateError('resend.unanswered', { why: 'it was not recorded' });
    return exchange;
  }

  async function identityOf(call: Call, { certificate }: ResendWanted): Promise<Identity | null> {
    if (certificate === null) return null;
    if (certificate !== undefined) return named(certificate);
    const identities = await openTestIdentities(parts.certificates().dir, parts.clock());
    const identity = identities(call.certificate, call.at);
    return identity === null ? null : named(identity.name);
  }

  async function named(name: string): Promise<Identity> {
    const found = (await certificates()).find((one) => one.name === name);
    if (found === undefined) throw new SandgateError('resend.no-certificate', { name: name.slice(0, 100) });
    return identityNamed(parts.certificates(), name, found.facts.organizationIdentifier?.text);
  }

  /** Certificates with keys; never one that the bank is shown. */
  async function certificates() {
    const ofBank = new Set(parts.ofBank());
    return (await listCertificates(parts.certificates().dir, parts.clock())).filter(
      ({ name, hasKey, facts }) => hasKey && !NOT_OF_TPPS.has(name) && !ofBank.has(facts.fingerprint256),
    );
  }

  const withSender = async <T>(work: (sender: Sender) => Promise<T>): Promise<T> => {
    if (!parts.areNamed) throw new SandgateError('resend.unnamed', {});
    if (underWay >= MOST) throw new SandgateError('resend.busy', { most: MOST });
    underWay += 1;
    const { signal } = new AbortController();
    const sender = openOwnSender(parts.certificates(), { signal, mark: parts.mark });
    try {
      return await work(sender);
    } finally {
      sender.close();
      underWay -= 1;
    }
  };

  return {
    send: (id, wanted) => withSender((sender) => send(sender, id, wanted)),
    makeJourney: () =>
      withSender(async (sender) => {
        if (!parts.canMakeJourney()) throw new SandgateError('resend.no-emulator', {});
        const identity = await named(OWN_TPP);
        return makeJourney(createOwnTpp({ ...parts, sender, identity }));
      }),
    certificates: async () => (await certificates()).map(({ name }) => name),
  };
}

/**
 * Wanted headers replace recorded ones; null takes one away. A call that is otherwise than it was has an X-Request-ID of its
 * own, where it had one.
 */
function headersOf(
  { request }: Call,
  { headers: wanted = {}, method, target, body }: ResendWanted,
): HeaderList {
  const names = new Set(Object.keys(wanted).map((name) => name.toLowerCase()));
  const isOther = names.size > 0 || method !== undefined || target !== undefined || body !== undefined;
  const kept = request.headers
    .filter(([name]) => !names.has(name.toLowerCase()))
    .map(([name, value]): [string, string] => [
      name,
      isOther && name.toLowerCase() === 'x-request-id' ? randomUUID() : value,
    ]);
  const added = Object.entries(wanted).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, value]],
  );
  return headersToSend([...kept, ...added]);
}

function bodyOf({ request: { body } }: Call, wanted: ResendWanted): Uint8Array | null {
  if (wanted.body !== undefined) return wanted.body === null ? null : Buffer.from(wanted.body);
  if (body === null) return null;
  if (body.truncated === true) throw new SandgateError('resend.part', {});
  return bytesOfBody(body);
}
