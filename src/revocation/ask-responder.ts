/** Sends a question to an OCSP responder, within limits, and to no address that is not allowed. */
import { readStream } from '../files/index.js';
import { answerTo, findAddress, pinnedTo, systemResolve } from '../outgoing/index.js';

const LARGEST = 65_536;
const LONGEST_ADDRESS = 2_048;

export interface Ways {
  /** The user's choice: it may be anywhere. Absent: only certificates name responders. */
  readonly own?: URL | undefined;
  readonly addressAllowed: (host: string, address: string) => boolean;
  /** Addresses of a name; the system's resolver where absent. */
  readonly resolve?: ((host: string) => Promise<readonly string[]>) | undefined;
}

type NoAnswer = 'unreachable' | 'too-large' | 'not-allowed' | 'no-responder';

/** The first address of a certificate that OCSP is asked at (RFC 6960 A.1: HTTP); else the user's own. */
export function responderOf(named: readonly string[], { own }: Ways): { url: URL; isOwn: boolean } | null {
  for (const address of named) {
    const url = address.length > LONGEST_ADDRESS ? null : URL.parse(address);
    if (url?.protocol === 'http:') return { url, isOwn: false };
  }
  return own === undefined ? null : { url: own, isOwn: true };
}

/** The bytes of its answer, or why there are none. Never rejects; no redirect is followed. */
export async function askResponder(
  named: readonly string[],
  question: Uint8Array,
  ways: Ways,
  { late, stopped }: { readonly late: AbortSignal; readonly stopped: AbortSignal },
): Promise<Uint8Array | NoAnswer> {
  const responder = responderOf(named, ways);
  if (responder === null) return 'no-responder';
  const { url, isOwn } = responder;
  try {
    const { addressAllowed, resolve = systemResolve } = ways;
    const found = isOwn ? null : await findAddress(url, resolve, addressAllowed, late);
    if (found !== null && 'fault' in found) return found.final ? 'not-allowed' : 'unreachable';
    const answer = await answerTo(
      url,
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/ocsp-request', Accept: 'application/ocsp-response' },
        body: question,
        isOwn,
        ...(found === null ? {} : { lookup: pinnedTo(found.address) }),
      },
      late,
      stopped,
    );
    if (answer.statusCode !== 200) {
      answer.destroy();
      return 'unreachable';
    }
    return (await readStream(answer, LARGEST)) ?? 'too-large';
  } catch {
    return 'unreachable';
  }
}
