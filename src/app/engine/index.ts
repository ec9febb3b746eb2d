/** What the program needs of the Node that runs it. Imports nothing of Sandgate, since it comes before everything else. */
import module from 'node:module';
import { PerformanceObserver } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** The oldest Node that package.json promises. An older one lacks what the SQLite driver needs, and ends with a segmentation fault. */
const OLDEST = [22, 14] as const;
/** Version of Node-API: 22.14 has it, and 23.6, but not 23.0 to 23.5. */
const NODE_API = 10;

/** One sentence where a Node with these versions (`process.versions`) cannot run Sandgate. */
export function nodeFault({
  node,
  napi,
}: Pick<NodeJS.ProcessVersions, 'node'> & { readonly napi?: string }): string | undefined {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const isTooOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  if (isTooOld) return `Sandgate needs Node ${OLDEST.join('.')} or newer; this is Node ${node}.`;
  if (Number(napi) >= NODE_API) return undefined;
  return `Sandgate needs a Node with Node-API ${NODE_API}: ${OLDEST.join('.')} to 22.x, or 23.6 and newer; this is Node ${node}.`;
}

/**
 * Has Node keep the compiled code of the program between starts, which takes a third off them. It is kept in the
 * program's own folder, where only those can change it who can change the program; Node's default is a folder that
 * all users of the machine share. Where the folder cannot be written, nothing is kept.
 */
export function keepCompiledCode(): void {
  module.enableCompileCache(fileURLToPath(new URL('../../../dist/.compiled', import.meta.url)));
}

/** Node keeps what it compiled when a process exits by itself; one that ends by a signal calls this first. */
export const storeCompiledCode = (): void => module.flushCompileCache();

const FLAGS = [
  // A call goes through many small functions: with its own limits V8 stops half-way to make one piece out of them.
  '--max-inlined-bytecode-size=1000',
  '--max-inlined-bytecode-size-cumulative=2000',
  // What lives on after a young collection are the few calls under way: threads that help with it cost more than they do.
  '--no-parallel-scavenge',
  // What a start reads stays; what the same lines of code make for a call does not. V8 would allocate both as if they
  // stayed, and what is over with the call would wait for a collection of the whole heap.
  '--no-allocation-site-pretenuring',
];

/** Bytes of the young generation, as in Node 22. Node 24 takes four times as much, and no call is faster for it. */
const YOUNG = 32 * 1_048_576;

/** Tells V8 what a process that answers calls needs: before the code that answers them runs. */
export function tuneEngine(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
  holdYoungGeneration();
}

/**
 * Tells V8 what a command needs that reads a whole recording, of which little is alive at a time: without it, V8 lets the
 * garbage grow to four times that before it looks. It may grow to as much again.
 */
export function spareMemory(): void {
  setFlagsFromString('--heap-growing-percent=100');
  holdYoungGeneration();
}

/** Its largest size is settled when Node starts, but not by how much it grows; and it may shrink, and must grow again. */
function holdYoungGeneration(): void {
  let mayGrow = true;
  new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (young === undefined || young.space_size < YOUNG === mayGrow) return;
    mayGrow = !mayGrow;
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  }).observe({ type: 'gc' });
}
