/** Behind load balancers that pass TLS through: the PROXY protocol header before it says who the client is. */

import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import type { Fault } from '../exchange/index.js';
import type { Identify } from './connections.js';
import { otherEnd, plainAddress } from './peers.js';

interface ProxyProtocolParts {
  /** Whether an address is that of a load balancer, whose connections all begin with a header. */
  readonly isFrom: (address: string) => boolean;
  /** For the header to arrive, ms. */
  readonly time: number;
  readonly onFailed: (address: string, fault: Fault) => void;
}

/** Connections from anywhere else are those of their other end. */
export function createProxyProtocol({ isFrom, time, onFailed }: ProxyProtocolParts) {
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
      // A health check only opens the connection, and leaves without another byte.
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
    identify: ((socket, isOf) => {
      const address = otherEnd(socket);
      if (isFrom(address)) readHeader(socket, isOf);
      else isOf(address);
    }) satisfies Identify,
    /** Cuts those whose header has not come yet. */
    close: (): void => {
      for (const cut of [...waiting]) cut();
    },
  };
}

const EXPECTED = 'A PROXY protocol header is expected from this address (--proxy-protocol-from)';
const ignore = () => {};

/** `more`: the bytes so far may be the beginning of a header. */
type ProxyHeader =
  | { readonly kind: 'more' }
  | {
      readonly kind: 'header';
      /** Bytes that it takes; what follows is the client's. */
      readonly length: number;
      /** The client's; null: the load balancer speaks for itself, or names nobody. */
      readonly address: string | null;
    }
  | { readonly kind: 'problem'; readonly text: string };

/** With its TLVs, which nothing is read from; load balancers send a few hundred bytes. */
export const LONGEST_PROXY_HEADER = 4_096;

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const HEAD = SIGNATURE.length + 4;
const LINE_START = Buffer.from('PROXY ', 'latin1');
const LONGEST_LINE = 107;
const PORT = /^(?:0|[1-9]\d{0,4})$/;
/** Version 2, by the byte of family and transport; null: no address that could be taken over. */
const FAMILIES: Readonly<Record<number, { readonly size: number; readonly bytes: number } | null>> = {
  0: null,
  17: { size: 12, bytes: 4 },
  33: { size: 36, bytes: 16 },
  49: null,
};

const MORE: ProxyHeader = { kind: 'more' };
const problem = (text: string): ProxyHeader => ({ kind: 'problem', text });
const header = (length: number, address: string | null): ProxyHeader => ({ kind: 'header', length, address });

/** `bytes`: all that came so far, from the first one on. */
export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (beginsLike(bytes, SIGNATURE)) return bytes.length < HEAD ? MORE : readBinary(bytes);
  if (beginsLike(bytes, LINE_START)) return bytes.length < LINE_START.length ? MORE : readLine(bytes);
  return problem('what arrived does not begin with one');
}

function beginsLike(bytes: Buffer, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length);
  return bytes.compare(start, 0, length, 0, length) === 0;
}

function readLine(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, LONGEST_LINE).indexOf('\r\n');
  if (end === -1) return bytes.length < LONGEST_LINE ? MORE : problem('its line does not end');
  const [, family, ...fields] = bytes.toString('latin1', 0, end).split(' ');
  if (family === 'UNKNOWN') return header(end + 2, null);
  const [source = '', target = '', ...ports] = fields;
  const isAddress = family === 'TCP4' ? isIPv4 : family === 'TCP6' ? isPlainIPv6 : null;
  if (isAddress === null) return problem('its protocol is none of TCP4, TCP6 and UNKNOWN');
  if (!isAddress(source) || !isAddress(target)) return problem('an address in it cannot be read');
  if (ports.length !== 2 || !ports.every((port) => PORT.test(port) && Number(port) <= 65_535))
    return problem('a port in it cannot be read');
  return header(end + 2, family === 'TCP4' ? source : canonical(source));
}

const isPlainIPv6 = (text: string) => isIPv6(text) && !text.includes('%');

function readBinary(bytes: Buffer): ProxyHeader {
  const command = bytes.readUInt8(12);
  const length = HEAD + bytes.readUInt16BE(14);
  if (command >> 4 !== 2) return problem('its version is not 2');
  if (command !== 0x20 && command !== 0x21) return problem('its command is neither LOCAL nor PROXY');
  if (length > LONGEST_PROXY_HEADER) return problem(`it is longer than ${LONGEST_PROXY_HEADER} bytes`);
  // A LOCAL connection: everything but the length is to be ignored.
  const family = command === 0x20 ? null : FAMILIES[bytes.readUInt8(13)];
  if (family === undefined) return problem('its family and transport are not those of a TCP connection');
  if (family !== null && length < HEAD + family.size) return problem('it is too short for its addresses');
  if (bytes.length < length) return MORE;
  return header(length, family === null ? null : addressOf(bytes.subarray(HEAD, HEAD + family.bytes)));
}

function addressOf(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(i * 2).toString(16));
  return canonical(groups.join(':'));
}

/** One client has one text, whoever writes its address. */
const canonical = (address: string): string => new SocketAddress({ address, family: 'ipv6' }).address;
