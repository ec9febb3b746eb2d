/** A store whose values all come later, as those of a database behind a network do. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Rows, Store } from '../../src/store/index.js';

const later =
  <A extends unknown[], R>(work: (...given: A) => R) =>
  async (...given: A): Promise<Awaited<R>> => {
    await nextTurn();
    return await work(...given);
  };

const rowsLater = <A extends unknown[], T>(open: (...given: A) => Rows<T>) =>
  async function* (...given: A): AsyncIterableIterator<T> {
    await nextTurn();
    for await (const row of open(...given)) {
      yield row;
      await nextTurn();
    }
  };

export function lateStore(store: Store): Store {
  return {
    fingerprintKey: store.fingerprintKey,
    takeUnsigned: store.takeUnsigned,
    newest: later(store.newest),
    append: later(store.append),
    check: later(store.check),
    note: later(store.note),
    sessions: later(store.sessions),
    read: rowsLater(store.read),
    arrived: later(store.arrived),
    unfinished: later(store.unfinished),
    steps: later(store.steps),
    find: later(store.find),
    linkOf: later(store.linkOf),
    layers: later(store.layers),
    body: later(store.body),
    awaited: later(store.awaited),
    worldsOf: later(store.worldsOf),
    serve: later(store.serve),
    standing: later(store.standing),
    epoch: later(store.epoch),
    stamp: store.stamp,
    catchUp: later(store.catchUp),
    ownerOf: later(store.ownerOf),
    tidy: rowsLater(store.tidy),
    chains: later(store.chains),
    chainNotes: later(store.chainNotes),
    verifyChain: rowsLater(store.verifyChain),
    verifyLink: later(store.verifyLink),
    remove: rowsLater(store.remove),
    size: later(store.size),
    close: later(store.close),
  };
}
