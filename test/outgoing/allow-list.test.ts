import { describe, expect, it } from 'vitest';
import { createAllowList } from '../../src/outgoing/allow-list.js';
import { SandgateError } from '../../src/spec/index.js';

describe('without configuration', () => {
  const list = createAllowList();

  it.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    '127.0.0.1',
    '127.255.0.9',
    '[::1]',
    '::1',
    '[::ffff:7f00:1]',
    '::ffff:127.0.0.1',
  ])('the host %s may be called', (host) => {
    expect(list.hostAllowed(host)).toBe(true);
  });

  it.each([
    'tpp.example',
    'localhost.example',
    'notlocalhost',
    '10.0.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '128.0.0.1',
    '[::]',
    '[::2]',
    '[::ffff:a00:1]',
    '[fe80::1]',
    '',
    '*',
    '127.0.0.1.example',
  ])('the host %j may not', (host) => {
    expect(list.hostAllowed(host)).toBe(false);
  });

  it('a name may lead to this machine only', () => {
    expect(list.addressAllowed('localhost', '127.0.0.1')).toBe(true);
    expect(list.addressAllowed('localhost', '::1')).toBe(true);
    for (const address of [
      '10.0.0.1',
      '169.254.169.254',
      'fe80::1%eth0',
      '',
      'localhost',
      '999.1.1.1',
      '[::1]',
    ])
      expect(list.addressAllowed('localhost', address)).toBe(false);
  });
});

describe('a listed name', () => {
  const list = createAllowList(['tpp.example', '*.bank.example']);

  it('is that name, or one below it', () => {
    for (const host of ['tpp.example', 'TPP.example.', 'a.bank.example', 'a.b.bank.example'])
      expect(list.hostAllowed(host)).toBe(true);
    for (const host of [
      'a.tpp.example',
      'bank.example',
      'evilbank.example',
      'tpp.example.evil',
      'localhost',
      '127.0.0.1',
    ])
      expect(list.hostAllowed(host)).toBe(false);
  });

  it('may lead to public addresses', () => {
    for (const address of ['93.184.216.34', '2606:2800:220:1::1', '::ffff:93.184.216.34'])
      expect(list.addressAllowed('tpp.example', address)).toBe(true);
    expect(list.addressAllowed('other.example', '93.184.216.34')).toBe(false);
  });

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%lo',
    'fd00::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '2001:0:a9fe:a9fe::1',
    '::a9fe:a9fe',
    '::ffff:0:a9fe:a9fe',
    '5f00::1',
    '3fff::1',
  ])('does not open %s, which is not public', (address) => {
    expect(list.addressAllowed('tpp.example', address)).toBe(false);
  });

  it('opens a private address together with its range', () => {
    const both = createAllowList(['tpp.example', '10.0.0.0/8', 'fd00::/8']);
    expect(both.addressAllowed('tpp.example', '10.1.2.3')).toBe(true);
    expect(both.addressAllowed('tpp.example', 'fd00::7')).toBe(true);
    expect(both.addressAllowed('tpp.example', '::ffff:10.1.2.3')).toBe(true);
    expect(both.addressAllowed('tpp.example', '192.168.0.1')).toBe(false);
  });
});

it('takes any name with *, and still no address that is not public', () => {
  const any = createAllowList(['*']);
  expect(any.hostAllowed('whoever.example')).toBe(true);
  expect(any.hostAllowed('10.0.0.1')).toBe(false);
  expect(any.addressAllowed('whoever.example', '93.184.216.34')).toBe(true);
  expect(any.addressAllowed('whoever.example', '127.0.0.1')).toBe(false);
});

it('takes single addresses, bracketed or not, and nothing from an empty list', () => {
  expect(createAllowList(['192.0.2.7']).hostAllowed('192.0.2.7')).toBe(true);
  expect(createAllowList(['192.0.2.7']).hostAllowed('192.0.2.8')).toBe(false);
  expect(createAllowList(['[fd00::1]']).hostAllowed('[fd00::1]')).toBe(true);
  expect(createAllowList([]).hostAllowed('localhost')).toBe(false);
});

it.each([
  '',
  '10.0.0.0/33',
  '10.0.0/8',
  '10.0.0.0/8/8',
  'fd00::/129',
  'http://localhost',
  'a b',
  '300.1.1.1',
  'fe80::1%eth0',
  '-a.example',
  '*.*',
  'a..b',
])('says that %j is no entry', (entry) => {
  expect(() => createAllowList([entry])).toThrow(SandgateError);
});
