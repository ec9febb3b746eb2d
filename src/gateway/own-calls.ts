/** Calls of the gateway to its own listeners, for its operator: they are told from those of TPPs. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Peer } from './arrivals.js';
import { takeOff } from './forwarded-peers.js';

const NAME = 'Sandgate-Sender';
const KEY = NAME.toLowerCase();

/**
 * The header that tells them; whoever has not the key of the store cannot write it. All processes on a store have the same
 * one: any of them may get the call.
 */
export function ownCallHeader(storeKey: Uint8Array): readonly [name: string, value: string] {
  const ofCalls = createHmac('sha256', storeKey).update('own calls').digest();
  return [NAME, createHmac('sha256', ofCalls).update(NAME).digest('base64url')];
}

/** The peer of a call, marked where the gateway sent it. The header is then gone: it is not recorded, and no bank gets it. */
export function createMarkOwn([, value]: ReturnType<typeof ownCallHeader>) {
  const expected = Buffer.from(value);
  return (request: IncomingMessage, peer: Peer): Peer => {
    const given = request.headers[KEY];
    if (typeof given !== 'string' || given.length !== value.length) return peer;
    const sent = Buffer.from(given);
    if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return peer;
    takeOff(request, [KEY]);
    return { ...peer, connection: { ...peer.connection, sender: 'sandgate' } };
  };
}
