/** The peer of a connection: address, TLS and certificate, read once per connection. */
import { hash, type X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  type CertificateFacts,
  type ForwardedCertificate,
  inspectCertificate,
  type Trust,
} from '../certificate/index.js';
import type { Connection, TlsFacts } from '../exchange/index.js';
import type { Peer } from './arrivals.js';
import type { ForwardedParts } from './forwarded-peers.js';

export interface PeersParts {
  /** Another object once certificates or revocation lists were read again. */
  readonly trust: () => Trust;
  /** Decides which CAs and revocation lists are in force, epoch ms. */
  readonly clock: () => number;
  /** Load balancers that may say which certificate a client has shown; absent: there are none. */
  readonly forwarded?: ForwardedParts | undefined;
}

interface Inspected {
  readonly facts: CertificateFacts;
  readonly der: Uint8Array;
  /** The client sent these beside its own certificate. */
  readonly chain: readonly Uint8Array[];
  readonly trust: Trust;
  readonly at: number;
  /** Connections with this certificate share these by their text, so a judge that knows one need not look at the next. */
  readonly tls: Map<string, TlsFacts>;
}

/** Chains and revocation lists age: an hour old facts are inspected again. */
const FRESH_MS = 3_600_000;
const REMEMBERED = 5_000;
const LONGEST_CHAIN = 10;

/**
 * After a resumption the chain that a client sent is gone, and Node checks nothing again; a resumed session of a
 * client without certificate even counts as authorized. So `socket.authorized` is never asked: no certificate in hand
 * is `absent`, and chains are remembered by the fingerprint of the certificate that came with them.
 */
export function createPeers(
  { trust, clock }: Omit<PeersParts, 'forwarded'>,
  addressOf: (socket: Socket) => string = otherEnd,
) {
  const known = new Map<string, Inspected>();
  const ofSocket = new WeakMap<Socket, { peer: Peer; inspected: Inspected | null }>();

  const inspect = (der: Uint8Array, chain: readonly Uint8Array[]): Inspected => {
    const now = clock();
    const facts = inspectCertificate(der, chain, trust(), now);
    return { facts, der, chain, trust: trust(), at: now, tls: new Map() };
  };
  const isFresh = ({ trust: by, at, facts }: Inspected) => {
    const now = clock();
    const isOfNow = by === trust() && now - at < FRESH_MS && now >= at;
    return isOfNow && by.responses?.isCurrent(facts, now) !== false;
  };
  const remember = (fingerprint: string, one: Inspected): Inspected => {
    known.delete(fingerprint);
    known.set(fingerprint, one);
    if (known.size > REMEMBERED) known.delete(known.keys().next().value as string);
    return one;
  };

  function inspectSocket(socket: TLSSocket, leaf: X509Certificate): Inspected {
    const fingerprint = leaf.fingerprint256;
    const remembered = known.get(fingerprint);
    if (socket.isSessionReused()) {
      if (remembered !== undefined && isFresh(remembered)) return remember(fingerprint, remembered);
      return remember(fingerprint, inspect(leaf.raw, remembered?.chain ?? []));
    }
    const chain = chainOf(leaf);
    if (remembered !== undefined && isFresh(remembered) && isSameChain(remembered.chain, chain))
      return remember(fingerprint, remembered);
    const inspected = inspect(leaf.raw, chain);
    // A chain that led somewhere is not forgotten for a later connection that sent none.
    if (remembered?.facts.chain.trusted !== true || inspected.facts.chain.trusted)
      remember(fingerprint, inspected);
    return inspected;
  }

  return {
    /** Facts of a certificate that came otherwise than in a handshake. */
    factsOf: ({ leaf, chain }: ForwardedCertificate): CertificateFacts => {
      const key = hash('sha256', leaf, 'hex');
      const remembered = known.get(key);
      if (remembered !== undefined && isFresh(remembered) && isSameChain(remembered.chain, chain))
        return remember(key, remembered).facts;
      return remember(key, inspect(leaf, chain)).facts;
    },
    /** `asked`: whether the listener asks for a client certificate. */
    of: (socket: Socket, asked: boolean): Peer => {
      const before = ofSocket.get(socket);
      if (before !== undefined && (before.inspected === null || isFresh(before.inspected)))
        return before.peer;
      const leaf = asked && socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
      const again = before?.inspected;
      let inspected: Inspected | null = null;
      if (again) inspected = inspect(again.der, again.chain);
      else if (leaf !== undefined) inspected = inspectSocket(socket as TLSSocket, leaf);
      const connection = before?.peer.connection ?? connectionOf(socket, addressOf(socket), inspected);
      const certificate = inspected?.facts ?? (asked ? 'absent' : 'not-observed');
      const peer: Peer = { connection, certificate };
      ofSocket.set(socket, { peer, inspected });
      return peer;
    },
  };
}

function connectionOf(socket: Socket, address: string, inspected: Inspected | null): Connection {
  return { address, tls: socket instanceof TLSSocket ? tlsOf(socket, inspected) : null };
}

function tlsOf(socket: TLSSocket, inspected: Inspected | null): TlsFacts {
  const cipher = socket.getCipher();
  const tls = {
    version: socket.getProtocol() ?? 'unknown',
    cipher: cipher?.standardName ?? cipher?.name ?? 'unknown',
    resumed: socket.isSessionReused(),
  };
  if (inspected === null) return tls;
  const text = `${tls.version} ${tls.cipher} ${tls.resumed}`;
  const known = inspected.tls.get(text);
  if (known === undefined) inspected.tls.set(text, tls);
  return known ?? tls;
}

/** Without the prefix of an IPv4 address that came over an IPv6 socket. */
export function plainAddress(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

/** Address of whoever is connected, be it a load balancer. */
export const otherEnd = (socket: Socket): string => plainAddress(socket.remoteAddress);

/** Node hands the chain out with the certificate, and once only: the older getPeerCertificate no longer has it. */
function chainOf(leaf: X509Certificate): Uint8Array[] {
  const chain: Uint8Array[] = [];
  let above = leaf.issuerCertificate;
  for (; above !== undefined && chain.length < LONGEST_CHAIN; above = above.issuerCertificate)
    chain.push(above.raw);
  return chain;
}

function isSameChain(a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean {
  return a.length === b.length && a.every((one, i) => Buffer.compare(one, b[i] as Uint8Array) === 0);
}
