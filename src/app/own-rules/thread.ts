/** The program of the thread that runs own rules which nobody trusts. It says where it is, so that a rule that hangs can be named. */
import { workerData } from 'node:worker_threads';
import { askRule, type Check } from './ask-rule.js';
import { readModule } from './read-module.js';
import { type Asked, AT, type FromThread, RUNNING, SAID, type ThreadData } from './rule-thread-messages.js';

const { urls, port, shared }: ThreadData = workerData;
const signal = new Int32Array(shared);

const tell = (message: FromThread): void => {
  port.postMessage(message);
  Atomics.add(signal, SAID, 1);
  Atomics.notify(signal, SAID);
};

const checks: Check[] = [];
const files: (readonly unknown[])[] = [];
try {
  for (const url of urls) {
    const read = await readModule(url);
    files.push(read.rules);
    checks.push(...read.checks);
  }
  tell({ kind: 'ready', files });
} catch (error) {
  tell({ kind: 'failed', file: files.length, problem: String(error) });
}

port.on('message', ({ id, rules, seen }: Asked) => {
  Atomics.store(signal, AT, id);
  const said = rules.map((rule) => {
    Atomics.store(signal, RUNNING, rule);
    return askRule(checks[rule] ?? (() => 'not-observed'), freeze(seen));
  });
  tell({ kind: 'said', id, said });
});

/** A message from another thread is a copy that could be changed. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const one of Object.values(value)) freeze(one);
  return Object.freeze(value);
}
