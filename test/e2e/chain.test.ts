/** Two gateways in a row: the TPP sees what it would see without the first one, which records and judges what the second one does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Profile } from '../../src/rules/index.js';
import type { RecordedExchange } from '../../src/store/index.js';
import { JOURNEY_NAMES, JOURNEYS, type Journey, type JourneyName } from '../mutations/journeys.js';
import {
  createNaming,
  headersThatStay,
  openTwoGateways,
  type Seen,
  type TwoGateways,
} from './two-gateways.js';

const FORMS = ['discovery', 'direct'] as const satisfies Journey['scaLink'][];
const journeysOf = (form: Journey['scaLink']): JourneyName[] =>
  JOURNEY_NAMES.filter((name) => JOURNEYS[name].scaLink === form);

/** The code goes from the bank to the TPP past a gateway that only sends browsers on. */
const CODE_UNSEEN = 'oauth/code-used-once: complied, at the first not-observed';

/** All that a client can see, with names in the place of what is different each time. */
function asSeen(seen: readonly Seen[], two: TwoGateways): unknown {
  const named = createNaming(two);
  return seen.map(({ step, status, headers, text }) => ({
    step,
    status,
    headers: headersThatStay(headers, Buffer.byteLength(text)).map(([name, value]) => [name, named(value)]),
    text: named(text),
  }));
}

/** All that is kept of a call, the other end of the connection aside. */
function asKept(records: readonly RecordedExchange[], two: TwoGateways): unknown {
  const named = createNaming(two);
  return records.map(({ exchange: { call, answer, fault }, verdicts, findings }) => ({
    call: {
      ...{ listener: call.listener, operation: call.operation, tpp: call.tpp, certificate: call.certificate },
      params: named(JSON.stringify(call.params)),
      method: call.request.method,
      target: named(call.request.target),
      headers: named(JSON.stringify(headersThatStay(call.request.headers, call.request.body?.size ?? 0))),
      body: named(call.request.body?.text ?? ''),
    },
    answer: answer && {
      status: answer.status,
      headers: named(JSON.stringify(withoutLength(headersThatStay(answer.headers, 0)))),
      body: named(answer.body?.text ?? ''),
    },
    fault,
    verdicts,
    findings: named(JSON.stringify(findings)),
  }));
}

/** The emulator's answers get theirs on the wire. */
function withoutLength(headers: ReturnType<typeof headersThatStay>) {
  return headers.filter(([name]) => name.toLowerCase() !== 'content-length');
}

describe.each(['sandbox', 'production'] as const satisfies Profile[])('under profile %s', (profile) => {
  describe.each(FORMS)('with scaOAuth links of the form %s', (scaLink) => {
    describe('and the bank’s pages on the PSU listener', () => {
      let two: TwoGateways;
      beforeAll(async () => {
        two = await openTwoGateways({ profile, scaLink, settings: { psuProxy: true } });
      });
      afterAll(() => two.close());

      it.each(journeysOf(scaLink))(
        '“%s” is the same for the TPP, and both recordings are the same',
        async (name) => {
          const direct = await two.walk(name, 'b');
          const through = await two.walk(name, 'a');
          expect(asSeen(through.seen, two)).toEqual(asSeen(direct.seen, two));
          // Every link was led through the first gateway.
          for (const own of [two.b.urls.api, two.b.urls.psu])
            expect(JSON.stringify(through.seen)).not.toContain(own);
          expect(asKept(through.atA, two)).toEqual(asKept(through.atB, two));
          expect(through.atA).toHaveLength(JOURNEYS[name].steps.length);
        },
      );
    });

    describe('and a redirect to the bank’s pages', () => {
      let two: TwoGateways;
      beforeAll(async () => {
        two = await openTwoGateways({ profile, scaLink });
      });
      afterAll(() => two.close());

      it.each(journeysOf(scaLink))(
        '“%s” is the same for the TPP, and so is each verdict that the code is not needed for',
        async (name) => {
          const direct = await two.walk(name, 'b');
          const through = await two.walk(name, 'a');
          expect(asSeen(through.seen, two)).toEqual(asSeen(direct.seen, two));
          const atA = through.atA.filter(({ exchange }) => exchange.call.listener === 'api');
          const atB = through.atB.filter(({ exchange }) => exchange.call.listener === 'api');
          expect(atA).toHaveLength(atB.length);
          const different = new Set<string>();
          atA.forEach(({ verdicts }, i) => {
            for (const [rule, verdict] of Object.entries(atB[i]?.verdicts ?? {}))
              if (verdicts[rule] !== verdict)
                different.add(`${rule}: ${verdict}, at the first ${verdicts[rule]}`);
          });
          expect([...different].filter((one) => one !== CODE_UNSEEN)).toEqual([]);
        },
      );
    });
  });
});
