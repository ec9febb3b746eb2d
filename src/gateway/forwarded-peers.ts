/** Takes the client certificate from the header of a trusted load balancer. */

import type { IncomingMessage } from 'node:http';
import {
  type CertificateFacts,
  FORWARDED_FORMS,
  type ForwardedCertificate,
  type ForwardedFormName,
} from '../certificate/index.js';
import { type HeaderList, pairHeaders } from '../exchange/index.js';
import type { GatewayFault, Peer } from './arrivals.js';
import { forwardedCertificateFault } from './faults.js';

export interface ForwardedParts {
  readonly form: ForwardedFormName;
  /** Whether an address is that of a load balancer. */
  readonly isTrusted: (address: string) => boolean;
}

export interface Claimed {
  readonly peer: Peer;
  /** Without those that speak of certificates, whoever sent them: nobody further on must believe them. */
  readonly headers: HeaderList;
  readonly problem: GatewayFault | null;
}

export type ReadForwarded = (peer: Peer, headers: HeaderList) => Claimed;

/** The TLS facts stay those of the connection, which is the load balancer's. */
export function createReadForwarded(
  { form, isTrusted }: ForwardedParts,
  inspect: (certificate: ForwardedCertificate) => CertificateFacts,
): ReadForwarded {
  const { headers: names, read } = FORWARDED_FORMS[form];
  const isOne = (name: string) => names.includes(name.toLowerCase() as never);

  return (peer, sent) => {
    const claims = sent.filter(([name]) => isOne(name));
    const headers = claims.length === 0 ? sent : sent.filter(([name]) => !isOne(name));
    if (!isTrusted(peer.connection.address)) return { peer, headers, problem: null };
    const values = names.map((wanted) =>
      claims.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value),
    ) as [string[], string[]];
    const found = read(...values);
    // The certificate that a load balancer itself may have shown says nothing of the TPP.
    if (found === null) return { peer: { ...peer, certificate: 'absent' }, headers, problem: null };
    if ('problem' in found) {
      // The TPP may have shown a good one: that the load balancer garbles it is none of its faults.
      const problem = forwardedCertificateFault(names[0], found.problem);
      return { peer: { ...peer, certificate: 'not-observed' }, headers, problem };
    }
    return { peer: { ...peer, certificate: inspect(found) }, headers, problem: null };
  };
}

/** A listener that asks for no certificate takes no word on one: such headers are removed from each request. */
export function createTakeOff({ form }: ForwardedParts): (request: IncomingMessage) => void {
  const names: readonly string[] = FORWARDED_FORMS[form].headers;
  return (request) => {
    if (names.some((name) => name in request.headers)) takeOff(request, names);
  };
}

/** @param names in lower case */
export function takeOff(request: IncomingMessage, names: readonly string[]): void {
  for (const name of names) delete request.headers[name];
  request.rawHeaders = pairHeaders(request.rawHeaders)
    .filter(([name]) => !names.includes(name.toLowerCase()))
    .flat();
}
