/** Tells which callers are refused for their certificate, whatever else their call holds. */
import type { Answerer } from '../answer/index.js';
import { type Call, type HeaderList, openCall, splitTarget } from '../exchange/index.js';
import { type Finding, refusesConnection } from '../rules/index.js';
import type { Incoming } from './arrivals.js';
import type { StepsParts } from './steps.js';
import { isKnownCaller } from './strangers.js';

export interface TurnAway {
  /** `findings`: on this call. */
  readonly refuses: (call: Call, findings: readonly Finding[]) => boolean;
  readonly refusesUnread: (head: RequestHead) => boolean;
}

type RequestHead = Pick<Incoming, 'listener' | 'peer' | 'at' | 'ahead' | 'method' | 'target'> & {
  readonly headers: HeaderList;
};

export interface TurnAwayParts extends Pick<StepsParts, 'judge' | 'recognise' | 'worlds'> {
  /** What a violated must does to a call. */
  readonly stance: (call: Call) => 'enforce' | 'observe';
  readonly answerer: Answerer;
}

export function createTurnAway(parts: TurnAwayParts): TurnAway {
  const { judge, answerer, worlds } = parts;
  const refuses: TurnAway['refuses'] = (call, findings) =>
    refusesConnection(findings) &&
    (parts.stance(call) === 'enforce' || answerer.refusesStrangers?.(call) === true);
  return {
    refuses,
    refusesUnread: ({ listener, peer, at, ahead, method, target, headers }) => {
      if (listener !== 'api' || isKnownCaller(peer.certificate)) return false;
      const call = openCall(
        { id: '', session: '', at, ahead, listener, ...peer, method, target, headers, body: null },
        parts.recognise(listener, method, splitTarget(target).path),
      );
      return refuses(call, judge.judgeCall(call, worlds.of(null).ledger).findings);
    },
  };
}
