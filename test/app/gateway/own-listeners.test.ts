/** At which ends of connections a gateway finds its own listeners, and those of others on its store. */
import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { createOwnListeners } from '../../../src/app/gateway/own-listeners.js';

function aGateway(slot = 0, catchUp: () => Promise<void> = async () => undefined) {
  return createOwnListeners({ slot: () => slot, share: (apply) => void apply(), catchUp });
}

it.each([
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.1', '127.8.7.6', true],
  ['127.0.0.1', '::1', true],
  ['127.0.0.1', '::ffff:127.0.0.1', true],
  ['127.0.0.1', '192.0.2.1', false],
  ['192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '::ffff:192.0.2.1', true],
  ['192.0.2.1', '127.0.0.1', false],
  ['fe80::1%eth0', 'fe80::1', true],
  ['0.0.0.0', '127.0.0.1', true],
  ['::', '::1', true],
  ['::', '192.0.2.1', false],
])('bound at %s, a connection that ended at %s is with itself: %s', async (bound, address, isOne) => {
  const own = aGateway();
  await own.begin([{ address: bound, port: 8445 }]);
  expect(await own.isOne({ address, port: 8445 })).toBe(isOne);
  expect(await own.isOne({ address, port: 8446 })).toBe(false);
});

it('bound at every address, all of the machine are its own', async () => {
  const own = aGateway();
  await own.begin([{ address: '::', port: 8445 }]);
  for (const { address } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
    expect(await own.isOne({ address, port: 8445 })).toBe(true);
});

it('another gateway is known from when it was heard of until it ends', async () => {
  const one = aGateway(1);
  const other = aGateway(0, async () => other.adopt(one.read()));
  const end = { address: '192.0.2.1', port: 8445 };
  expect(await other.isOne(end)).toBe(false);
  await one.begin([end]);
  expect(await other.isOne(end)).toBe(true);
  await one.end();
  expect(await other.isOne(end)).toBe(false);
});
