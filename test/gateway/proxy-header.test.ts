/** The header of the PROXY protocol: what is one, what may become one, and what is none. */
import { SocketAddress } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST_PROXY_HEADER, readProxyHeader } from '../../src/gateway/proxy-protocol.js';

const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
const binary = (command: number, family: number, body: Buffer) =>
  Buffer.concat([SIGNATURE, Buffer.from([command, family, body.length >> 8, body.length & 255]), body]);
const line = (text: string) => Buffer.from(`PROXY ${text}\r\n`, 'latin1');
const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size }).map(Buffer.from);
const canonical = (address: string) => new SocketAddress({ address, family: 'ipv6' }).address;

const port = fc.nat(65_535);
const tlvs = fc.uint8Array({ maxLength: 300 }).map(Buffer.from);
/** Headers with the address that they name. */
const lines = fc.oneof(
  fc.tuple(fc.ipV4(), fc.ipV4(), port, port).map(([a, b, p, q]) => [line(`TCP4 ${a} ${b} ${p} ${q}`), a]),
  fc
    .tuple(fc.ipV6(), fc.ipV6(), port, port)
    .map(([a, b, p, q]) => [line(`TCP6 ${a} ${b} ${p} ${q}`), canonical(a)]),
  fc.constantFrom('UNKNOWN', 'UNKNOWN ::1 ::1 1 2').map((text) => [line(text), null]),
);
const binaries = fc.oneof(
  fc.tuple(bytes(12), tlvs).map(([a, more]) => {
    return [binary(0x21, 0x11, Buffer.concat([a, more])), a.subarray(0, 4).join('.')];
  }),
  fc.tuple(bytes(36), tlvs).map(([a, more]) => {
    const groups = a.toString('hex', 0, 16).match(/.{4}/g) ?? [];
    return [binary(0x21, 0x21, Buffer.concat([a, more])), canonical(groups.join(':'))];
  }),
  fc
    .tuple(fc.constantFrom([0x20, 0x00], [0x20, 0x11], [0x20, 0xff], [0x21, 0x00], [0x21, 0x31]), tlvs)
    .map(([[command = 0, family = 0], more]) => [binary(command, family, more), null]),
);
const headers = fc.oneof(lines, binaries) as fc.Arbitrary<[Buffer, string | null]>;

describe('a PROXY protocol header', () => {
  it('names the client, and ends where the client’s bytes begin', () => {
    fc.assert(
      fc.property(headers, fc.uint8Array(), ([header, address], rest) => {
        const read = readProxyHeader(Buffer.concat([header, rest]));
        expect(read).toEqual({ kind: 'header', length: header.length, address });
      }),
    );
  });

  it('is waited for, whatever part of it has come', () => {
    fc.assert(
      fc.property(headers, fc.double({ min: 0, max: 1, noNaN: true }), ([header], share) => {
        const part = header.subarray(0, Math.floor(share * (header.length - 1)));
        expect(readProxyHeader(part)).toEqual({ kind: 'more' });
      }),
    );
  });

  it('is never longer than what came, or than the limit', () => {
    const starts = fc.constantFrom(
      Buffer.alloc(0),
      SIGNATURE,
      Buffer.from('PROXY '),
      Buffer.from('PROXY TCP4 '),
    );
    fc.assert(
      fc.property(starts, fc.uint8Array({ maxLength: 400 }), (start, noise) => {
        const given = Buffer.concat([start, noise]);
        const read = readProxyHeader(given);
        if (read.kind === 'header')
          expect(read.length).toBeLessThanOrEqual(Math.min(given.length, LONGEST_PROXY_HEADER));
        else if (read.kind === 'more') expect(given.length).toBeLessThan(LONGEST_PROXY_HEADER);
      }),
    );
  });

  it.each([
    ['a ClientHello', Buffer.from('16030100c0010000bc', 'hex'), 'begin with one'],
    ['a request', Buffer.from('GET / HTTP/1.1\r\n'), 'begin with one'],
    ['a line in small letters', Buffer.from('proxy TCP4 192.0.2.1 192.0.2.2 1 2\r\n'), 'begin with one'],
    ['a line without end', Buffer.from(`PROXY TCP6 ${'f'.repeat(100)}`), 'does not end'],
    ['another protocol', line('UDP4 192.0.2.1 192.0.2.2 1 2'), 'protocol'],
    ['an address of the other family', line('TCP4 ::1 ::1 1 2'), 'address'],
    ['an address with a zone', line('TCP6 fe80::1%eth0 ::1 1 2'), 'address'],
    ['an address with a leading zero', line('TCP4 192.0.02.1 192.0.2.2 1 2'), 'address'],
    ['two spaces', line('TCP4  192.0.2.1 192.0.2.2 1 2'), 'address'],
    ['a missing port', line('TCP4 192.0.2.1 192.0.2.2 1'), 'port'],
    ['a port too large', line('TCP4 192.0.2.1 192.0.2.2 1 65536'), 'port'],
    ['a port with a leading zero', line('TCP4 192.0.2.1 192.0.2.2 01 2'), 'port'],
    ['more than the ports', line('TCP4 192.0.2.1 192.0.2.2 1 2 3'), 'port'],
    ['version 3', binary(0x31, 0x11, Buffer.alloc(12)), 'version'],
    ['an unknown command', binary(0x22, 0x11, Buffer.alloc(12)), 'command'],
    ['datagrams', binary(0x21, 0x12, Buffer.alloc(12)), 'TCP'],
    ['too little for its addresses', binary(0x21, 0x21, Buffer.alloc(35)), 'too short'],
    ['too much', binary(0x21, 0x11, Buffer.alloc(5_000)), 'longer'],
  ])('is not %s', (_what, given, text) => {
    expect(readProxyHeader(given)).toEqual({ kind: 'problem', text: expect.stringContaining(text) });
  });
});
