/**
 * Random walks through the living bank: TPPs and PSUs do what comes to their minds, time is moved, the gateway is
 * restarted, snapshots are restored. After each step the books balance to the cent, and no status has gone back; each
 * answer fits the schema of psd2-api. That the
 * bank's answers comply with every rule for banks is asserted when a gateway is closed.
 */
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import {
  bankDateAt,
  CONSENT_STATUSES,
  type ConsentStatus,
  PAYMENT_STATUSES,
  type PaymentStatus,
} from '../../src/spec/index.js';
import { schemaFaults } from '../psd2-api.js';
import { aPath } from '../store/stores.js';
import { type Audited, audited, currentAccounts, PSUS } from './auditor.js';
import { startTestGateway, type TestGateway } from './harness.js';
import { createdBy, type LivingTpp, livingTpp, type Tokens } from './living-tpp.js';

/** The same walks each time; `WALKS=$RANDOM` takes others. */
const SEED = Number(process.env.WALKS ?? 14);
const SNAPSHOT = '/api/bank/snapshots/walk';
const TPPS = ['tpp', 'tpp-other'] as const;
const OUTSIDE = 'BE86986509812450';
const OUTCOMES = [
  'SCA_OK',
  'SCA_OK',
  'SCA_EXEMPTED',
  'SCA_NOK',
  'LOGIN_CANCEL',
  'SCA_REQUEST_REJECTED',
] as const;

const nth = fc.nat({ max: 30 });
const ofLength = (minLength: number, maxLength: number) => fc.string({ minLength, maxLength });
const tpp = fc.constantFrom(...TPPS);
const psu = fc.constantFrom(...PSUS);
/** Each as long as psd2-api takes it, or longer; in a form that it takes, or another. */
const ODD_MEMBERS = [
  fc.record({ creditorName: ofLength(60, 80) }),
  fc.record({ endToEndIdentification: ofLength(30, 40) }),
  fc.record({ remittanceInformationUnstructured: ofLength(130, 150) }),
  fc.record({ creditorAgent: fc.constantFrom('COBADEFF', 'COBADEFFXXX', 'cobadeff', null) }),
  fc.record({ purposeCode: fc.constantFrom('SALA', 'salary', '', null) }),
  fc.record({ chargeBearer: fc.constantFrom('SLEV', 'OUR', null) }),
  fc.record({
    creditorAddress: fc.constantFrom({ country: 'NL', townName: null }, { country: 'Nederland' }),
  }),
  fc.record({ debtorAccount: fc.record({ currency: fc.constantFrom('EUR', 'USD', 'eur', null) }) }),
];
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('consent' as const), tpp, recurring: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      ...{ tpp, from: nth, to: nth, isInside: fc.boolean() },
      cents: fc.integer({ min: 1, max: 200_000 }),
      inDays: fc.option(fc.nat({ max: 9 })),
      more: fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, ...ODD_MEMBERS),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      which: nth,
      psu,
      outcome: fc.constantFrom(...OUTCOMES),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const), which: nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), which: nth }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 200 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('snapshot' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A consent or a payment, as its TPP knows it. */
interface Resource {
  readonly kind: 'consent' | 'payment';
  readonly tpp: (typeof TPPS)[number];
  readonly id: string;
  readonly link: string;
  readonly status: string;
  readonly tokens?: Tokens;
}

/** What is known outside; the same again once a snapshot is restored. */
interface Known extends Audited {
  readonly resources: readonly Resource[];
}

let running: TestGateway | undefined;
afterEach(() => running?.close());

it('keeps its books and the order of its statuses whatever TPPs, PSUs and time do', {
  timeout: 120_000,
}, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 24 }), walk), {
    numRuns: 4,
    endOnFailure: true,
    seed: SEED,
  });
});

async function walk(steps: readonly Step[]): Promise<void> {
  const settings = { bank: 'living', store: aPath(), session: 'test' };
  const open = async () => {
    running = await startTestGateway(settings);
    return withSchemas(running);
  };
  let gateway = await open();
  const ibans = await currentAccounts(gateway);
  let known: Known = { resources: [], seen: new Map(), at: gateway.app.clock.now() };
  let kept: Known | undefined;
  known = { ...known, ...(await audited(gateway, known)) };
  for (const one of steps) {
    if (one.do === 'restart') {
      await gateway.close();
      gateway = await open();
    } else if (one.do === 'snapshot') {
      const answer = await gateway.call(SNAPSHOT, { side: 'admin', method: 'PUT', json: {} });
      expect(answer.status, answer.text).toBeLessThan(300);
      kept = known;
    } else if (one.do === 'restore') {
      if (kept === undefined) continue;
      const answer = await gateway.call(`${SNAPSHOT}/restore`, { side: 'admin', json: {} });
      expect(answer.status, answer.text).toBeLessThan(300);
      known = kept;
    } else known = await done(gateway, known, one, ibans);
    const resources = await followed(gateway, known.resources);
    known = { ...(await audited(gateway, known)), resources };
  }
  await gateway.close();
  running = undefined;
}

/** As it is, and each body of the interface that it answers is held against the schema. */
function withSchemas(gateway: TestGateway): TestGateway {
  return {
    ...gateway,
    call: async (target, options = {}) => {
      const answer = await gateway.call(target, options);
      const path = target.split('?', 1)[0]?.split('/stdgroup/v1')[1];
      const method = options.method ?? (options.json === undefined ? 'GET' : 'POST');
      if (path === undefined || path === '/token' || answer.text === '') return answer;
      expect(
        schemaFaults(method, path, answer.status, answer.json),
        `${method} ${path}: ${answer.text}`,
      ).toEqual([]);
      return answer;
    },
  };
}

async function done(
  gateway: TestGateway,
  known: Known,
  one: Exclude<Step, { do: 'restart' | 'snapshot' | 'restore' }>,
  ibans: readonly string[],
): Promise<Known> {
  const { resources } = known;
  const chosen = 'which' in one ? resources[one.which % Math.max(1, resources.length)] : undefined;
  switch (one.do) {
    case 'consent': {
      const created = await livingTpp(gateway, one.tpp).createConsent({ recurring: one.recurring });
      return added(known, { kind: 'consent', tpp: one.tpp, ...created, status: 'received' });
    }
    case 'pay': {
      const debtorIban = ibans[one.from % ibans.length] as string;
      const others = ibans.filter((iban) => iban !== debtorIban);
      const creditorIban = one.isInside ? (others[one.to % others.length] as string) : OUTSIDE;
      const amount = (one.cents / 100).toFixed(2);
      const at = gateway.app.clock.now() + (one.inDays ?? 0) * 86_400_000;
      const on = one.inDays === null ? {} : { on: bankDateAt(at) };
      const order = { debtorIban, creditorIban, amount, ...on, more: one.more };
      const client = livingTpp(gateway, one.tpp);
      const answer = await client.postPayment(order);
      expect(answer.status, answer.text).toBeOneOf([201, 400]);
      if (answer.status === 400) return known;
      const created = createdBy(answer);
      await client.readPayment(created.id);
      return added(known, { kind: 'payment', tpp: one.tpp, ...created, status: 'RCVD' });
    }
    case 'decide':
      return chosen === undefined ? known : replaced(known, await decided(gateway, chosen, one));
    case 'read': {
      if (chosen?.tokens === undefined || chosen.kind === 'payment') return known;
      const answer = await livingTpp(gateway, chosen.tpp).read('/accounts', chosen.id, chosen.tokens.access);
      expect(answer.status, answer.text).toBeOneOf([200, 401]);
      return known;
    }
    case 'end': {
      if (chosen === undefined) return known;
      const client = livingTpp(gateway, chosen.tpp);
      const end = chosen.kind === 'consent' ? client.deleteConsent : client.cancelPayment;
      expect((await end(chosen.id)).status).toBeOneOf([202, 204, 401, 403, 405, 409]);
      return known;
    }
    case 'wait':
      gateway.app.clock.change({ advance: one.hours * 3_600_000 });
      return known;
  }
}

async function decided(
  gateway: TestGateway,
  resource: Resource,
  { psu, outcome }: { psu: string; outcome: string },
): Promise<Resource> {
  const client = livingTpp(gateway, resource.tpp);
  const scope = `${resource.kind === 'consent' ? 'AIS' : 'PIS'}:${resource.id}`;
  const back = await client.authorise(scope, resource.link, { psu, outcome });
  const code = back?.get('code');
  if (code == null) return resource;
  const answer = await client.exchange(code);
  if (answer.status !== 200) return resource;
  const tokens = { access: answer.json.access_token, refresh: answer.json.refresh_token };
  return { ...resource, tokens };
}

const added = (known: Known, resource: Resource): Known => ({
  ...known,
  resources: [...known.resources, resource],
});

const replaced = (known: Known, resource: Resource): Known => ({
  ...known,
  resources: known.resources.map((one) => (one.id === resource.id ? resource : one)),
});

/** Every resource as its TPP reads it now; none has gone back, and what had ended is as it was. */
function followed(gateway: TestGateway, resources: readonly Resource[]): Promise<Resource[]> {
  return Promise.all(
    resources.map(async (resource) => {
      const client: LivingTpp = livingTpp(gateway, resource.tpp);
      const isConsent = resource.kind === 'consent';
      const answer = await (isConsent ? client.consentStatus : client.paymentStatus)(resource.id);
      expect(answer.status, answer.text).toBe(200);
      const status: string = isConsent ? answer.json.consentStatus : answer.json.transactionStatus;
      const [before, now] = isConsent
        ? [CONSENT_STATUSES[resource.status as ConsentStatus], CONSENT_STATUSES[status as ConsentStatus]]
        : [PAYMENT_STATUSES[resource.status as PaymentStatus], PAYMENT_STATUSES[status as PaymentStatus]];
      if (before.final) expect(status).toBe(resource.status);
      else expect(now.rank, `${resource.status} → ${status}`).toBeGreaterThanOrEqual(before.rank);
      return { ...resource, status };
    }),
  );
}
