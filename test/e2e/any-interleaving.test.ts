/** Whatever is asked of two gateways on one store, in whatever order and however much at once: they answer as one would. */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { aPath } from '../store/stores.js';
import { startTestGateway, type TestGateway } from './harness.js';
import { BACK, type LivingTpp, livingTpp } from './living.js';

const open: TestGateway[] = [];
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close();
});

const TPPS = ['tpp', 'tpp-other'] as const;
const nth = fc.nat({ max: 3 });
const STEP = fc.record({
  tpp: fc.constantFrom(...TPPS),
  /** Which of two gateways; of one, there is no choice. */
  at: fc.constantFrom(0, 1),
  what: fc.oneof(
    fc.record({ do: fc.constant('consent' as const) }),
    fc.record({
      do: fc.constantFrom('authorise' as const, 'token' as const, 'read' as const, 'delete' as const),
      nth,
    }),
    fc.record({ do: fc.constant('read' as const), nth }),
    fc.record({ do: fc.constant('reads-at-once' as const), nth }),
  ),
});
type Step = typeof STEP extends fc.Arbitrary<infer S> ? S : never;

interface Consent {
  readonly id: string;
  readonly authorisation: string;
  readonly tpp: string;
  code: string;
  token: string;
}

/** Statuses and codes, which say what was judged; ids and times differ. */
const told = ({ status, codes }: { status: number; codes: readonly string[] }) => `${status} ${codes.join()}`;

type TppAt = (place: number, tpp: string) => LivingTpp;

function clientsOf(gateways: readonly TestGateway[]): TppAt {
  const byTpp = new Map<string, LivingTpp>();
  return (place, tpp) => {
    const gateway = gateways[place % gateways.length] as TestGateway;
    const key = `${place % gateways.length} ${tpp}`;
    const known = byTpp.get(key) ?? livingTpp(gateway, tpp);
    byTpp.set(key, known);
    return known;
  };
}

/** With consents of its own. */
async function walk(tppAt: TppAt, steps: readonly Step[]): Promise<string[]> {
  const consents: Consent[] = [];
  const seen: string[] = [];
  const read = (tpp: LivingTpp, { id, token }: Consent) =>
    tpp.ask('GET /accounts', { consent: id, token, headers: { 'PSU-IP-Address': undefined } as never });
  for (const { tpp: name, at, what } of steps) {
    const tpp = tppAt(at, name);
    if (what.do === 'consent') {
      const made = await tpp.create({}, { 'TPP-Redirect-URI': BACK });
      consents.push({ ...made, tpp: name, code: 'unknown', token: 'unknown' });
      seen.push('created');
      continue;
    }
    const consent = consents[what.nth];
    if (consent === undefined) continue;
    if (what.do === 'authorise') {
      if (consent.code !== 'none') continue;
      const back = await tppAt(at, consent.tpp).authorise(consent);
      consent.code = back.searchParams.get('code') ?? 'none';
      seen.push(back.searchParams.get('error') ?? 'authorised');
    } else if (what.do === 'token') {
      const given = await tpp.exchange({ code: consent.code });
      if (given.status === 200) consent.token = given.json.access_token;
      seen.push(told(given));
    } else if (what.do === 'delete') seen.push(told(await tpp.ask(`DELETE /consents/${consent.id}`)));
    else if (what.do === 'read') seen.push(told(await read(tpp, consent)));
    else {
      const places = [0, 1, 0, 1, 0, 1];
      const replies = await Promise.all(places.map((place) => read(tppAt(place, name), consent)));
      seen.push(replies.map(told).sort().join('; '));
    }
  }
  return seen;
}

describe('two gateways on one store', () => {
  it('answer as one gateway does, whatever goes to which of them', async () => {
    const one = await startTestGateway({ bank: 'living' });
    const store = aPath();
    const first = await startTestGateway({ bank: 'living', store }, 0);
    const second = await startTestGateway({ bank: 'living', store }, 1);
    open.push(one, first, second);
    const [alone, together] = [clientsOf([one]), clientsOf([first, second])];
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 4, maxLength: 14 }), async (steps) => {
        const script: Step[] = [
          { tpp: 'tpp', at: 0, what: { do: 'consent' } },
          { tpp: 'tpp', at: 1, what: { do: 'authorise', nth: 0 } },
          { tpp: 'tpp', at: 0, what: { do: 'token', nth: 0 } },
          ...steps,
        ];
        expect(await walk(together, script)).toEqual(await walk(alone, script));
      }),
      { numRuns: 30 },
    );
  });
});
