/** What V8 is told by a process that answers calls; it must be told before the code that answers them runs. */
import { setFlagsFromString } from 'node:v8';

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

export function tuneEngine(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}
