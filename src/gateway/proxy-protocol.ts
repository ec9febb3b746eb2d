/** Behind load balancers that pass TLS through: the PROXY protocol header before it says who the client is. */
import type { Fault } from '../exchange/index.js';
import type { Identify } from './connections.js';
import { otherEnd, plainAddress } from './peers.js';
import { type ProxyHeader, readProxyHeader } from './proxy-header.js';

export interface ProxyProtocolParts {
  /** Whether an address is that of a load balancer, whose connections all begin with a header. */
  readonly isFrom: (address: string) => boolean;
  /** For the header to arrive, ms. */
  readonly time: number;
  readonly onFailed: (address: string, fault: Fault) => void;
}

export interface ProxyProtocol {
  readonly identify: Identify;
  /** Cuts those whose header has not come yet. */
  readonly close: () => void;
}

/** Connections from anywhere else are those of their other end. */
export function createProxyProtocol({ isFrom, time, onFailed }: ProxyProtocolParts): ProxyProtocol {
  const waiting = new Set<() => void>();

  const readHeader: Identify = (socket, isOf) => {
    const balancer = otherEnd(socket);
    let bytes: Buffer = Buffer.alloc(0);
    let found: ProxyHeader = { kind: 'more' };
    const leave = () => {
      clearTimeout(late);
      waiting.delete(cut);
      socket.off('readable', read).off('end', end).off('close', closed).off('error', ignore);
    };
    const cut = () => {
      leave();
      socket.on('error', ignore).destroy();
    };
    const fail = (kind: Fault['kind'], text: string) => {
      cut();
      onFailed(balancer, { kind, message: `${EXPECTED}, but ${text}.` });
    };
    const read = () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read())
        bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      found = readProxyHeader(bytes);
      if (found.kind === 'problem') fail('refused', found.text);
      if (found.kind !== 'header') return;
      // What only looks whether somebody listens here goes away without another byte.
      if (found.address === null && bytes.length === found.length) return;
      leave();
      if (bytes.length > found.length) socket.unshift(bytes.subarray(found.length));
      isOf(found.address === null ? balancer : plainAddress(found.address));
    };
    const end = () => socket.destroy();
    const closed = () => {
      if (bytes.length > 0 && found.kind === 'more') fail('refused', 'the connection ended within it');
      else leave();
    };
    const late = setTimeout(() => {
      if (found.kind === 'more') fail('timeout', 'it did not arrive in time');
      else cut();
    }, time);
    waiting.add(cut);
    socket.on('readable', read).on('end', end).on('close', closed).on('error', ignore);
  };

  return {
    identify: (socket, isOf) => {
      const address = otherEnd(socket);
      if (isFrom(address)) readHeader(socket, isOf);
      else isOf(address);
    },
    close: () => {
      for (const cut of [...waiting]) cut();
    },
  };
}

const EXPECTED = 'A PROXY protocol header is expected from this address (--proxy-protocol-from)';
const ignore = () => {};
