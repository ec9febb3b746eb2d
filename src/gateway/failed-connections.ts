/** Records connections that never became a call: failed handshakes, bytes that are not HTTP, too many at once. */
import {
  type Answer,
  arrivedAt,
  type CallTime,
  closeCall,
  type Fault,
  type Injection,
  type ListenerName,
  openAnswer,
  openCall,
} from '../exchange/index.js';
import type { Recorder } from '../recorder/index.js';
import { addressBlock } from './address-block.js';
import type { Peer } from './arrivals.js';
import type { StepsParts } from './opened.js';
import { NOTHING_JUDGED } from './opened.js';

interface FailedConnection {
  readonly listener: ListenerName;
  readonly peer: Peer;
  readonly fault: Fault;
  readonly status: number | null;
  readonly injected?: Injection;
}

/** A flood of garbage must not become a flood of recordings: so many a second are kept, the rest is counted. */
const PER_SECOND_AND_ADDRESS = 5;
const PER_SECOND = 50;

export function createFailedConnections(
  parts: Pick<StepsParts, 'session' | 'nextId'> & {
    readonly time: () => CallTime;
    readonly recorder: Pick<Recorder, 'take'>;
  },
) {
  let second = 0;
  let inSecond = 0;
  let suppressed = 0;
  const ofBlock = new Map<string, number>();

  const mayRecord = (arrived: number, address: string): boolean => {
    const now = Math.floor(arrived / 1_000);
    if (now !== second) {
      second = now;
      inSecond = 0;
      ofBlock.clear();
    }
    const block = addressBlock(address);
    const count = ofBlock.get(block) ?? 0;
    if (inSecond >= PER_SECOND || count >= PER_SECOND_AND_ADDRESS) return false;
    inSecond += 1;
    ofBlock.set(block, count + 1);
    return true;
  };

  return {
    take: ({ listener, peer, fault, status, injected }: FailedConnection): void => {
      const time = parts.time();
      if (!mayRecord(arrivedAt(time), peer.connection.address)) {
        suppressed += 1;
        return;
      }
      const more = suppressed === 0 ? '' : ` ${suppressed} earlier failures were only counted.`;
      suppressed = 0;
      const request = { method: '', target: '', headers: [], body: null };
      const ids = { id: parts.nextId(), session: parts.session() };
      const call = openCall(
        { ...ids, ...time, listener, ...peer, ...request },
        { kind: 'path-unknown', nearest: '' },
      ).with({ nearest: undefined });
      const limited = { kind: fault.kind, message: `${fault.message}${more}` };
      const elapsed = { total: 0, answerer: 0 };
      const exchange = closeCall(call, bareAnswer(status), elapsed, limited, 0, injected);
      // A store that fails is reported once, not for each of these.
      parts.recorder.take(exchange, NOTHING_JUDGED, []).catch(() => {});
    },
  };
}

export type FailedConnections = ReturnType<typeof createFailedConnections>;

function bareAnswer(status: number | null): Answer | null {
  return status === null ? null : openAnswer({ source: 'gateway', status, headers: [], body: null });
}
