/** Tells strangers from callers who have shown who they are, and limits what strangers can make the gateway record. */
import type { CertificateFacts, CertificateObservation } from '../certificate/index.js';
import { type Answer, arrivedAt, createRecentCache, type Exchange } from '../exchange/index.js';
import { addressBlock } from './address-block.js';

/** In characters: a body that is longer is kept by its size alone. */
const BODY = 2_048;

/** How many refusals in one go, and how many a second in the long run. */
const OF_ADDRESS = { atOnce: 1_000, perSecond: 2 } as const;
const OF_ALL = { atOnce: 10_000, perSecond: 20 } as const;
/** More addresses than this at a time are known again when they come again. */
const ADDRESSES = 10_000;

/**
 * Whether a certificate shows who calls: a trust anchor stands behind it, and it is not revoked. Its dates are left to the
 * rules: each isolated session has a clock of its own, and an expired certificate still tells whose it is.
 */
export function isKnownCaller(certificate: CertificateObservation): certificate is CertificateFacts {
  if (typeof certificate === 'string') return false;
  return certificate.chain.trusted && certificate.revocation.status !== 'revoked';
}

/**
 * Everybody on the PSU listener is a stranger. A caller whom the bank answered all the same was lent the gateway's own
 * certificate, knowingly.
 */
function isStranger({ call: { listener, certificate }, answer }: Exchange): boolean {
  if (answer?.source === 'upstream') return false;
  return listener === 'psu' || !isKnownCaller(certificate);
}

/** The exchange as it is kept. */
export function withoutLargeBody(exchange: Exchange): Exchange {
  const { call } = exchange;
  const { body } = call.request;
  if (body === null || body.text.length <= BODY || !isStranger(exchange)) return exchange;
  const { target, headers } = call.request;
  const request = call.request.with(target, headers, { text: '', size: body.size, truncated: true });
  return { ...exchange, call: call.sending(request) };
}

/** A browser is refused with a redirect to the TPP. */
function isRefusal(answer: Answer | null): boolean {
  return answer === null || answer.status >= 400 || answer.source === 'rule';
}

/** Tells whether a refusal may be kept, too; by the machine's time at which its call arrived. */
export function createRefusalLimit(): (exchange: Exchange) => boolean {
  const all = createBucket(OF_ALL);
  const addresses = createRecentCache<string, Take>(ADDRESSES);
  return (exchange) => {
    const { call, answer } = exchange;
    if (!isRefusal(answer) || !isStranger(exchange)) return true;
    const block = addressBlock(call.connection.address);
    let ofBlock = addresses.get(block);
    if (ofBlock === undefined) {
      ofBlock = createBucket(OF_ADDRESS);
      addresses.set(block, ofBlock);
    }
    const at = arrivedAt(call);
    return ofBlock(at) && all(at);
  };
}

/** Takes one where there is one, at this time in epoch ms. */
type Take = (at: number) => boolean;

function createBucket({ atOnce, perSecond }: { readonly atOnce: number; readonly perSecond: number }): Take {
  let left: number = atOnce;
  let since = Number.NEGATIVE_INFINITY;
  return (at) => {
    if (at > since) {
      left = Math.min(atOnce, left + ((at - since) / 1_000) * perSecond);
      since = at;
    }
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
