/** Clients that create the same, byte by byte, and then go different ways: each is bound to a recorded one that did all it does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnswerParts, aCertificate, type CallParts } from '../../builders.js';
import { aReplay, type Recorded } from './a-replay.js';

const JOURNEYS = {
  'creates only': [],
  looks: ['status'],
  deletes: ['delete'],
  'looks and deletes': ['status', 'delete', 'status'],
  'is rejected': ['status', 'reject', 'status'],
  'is authorised': ['status', 'authorise', 'status'],
  reads: ['authorise', 'token', 'accounts', 'balances'],
  'reads and deletes': ['authorise', 'token', 'accounts', 'delete', 'status'],
  refreshes: ['status', 'authorise', 'token', 'refresh', 'accounts'],
} as const satisfies Record<string, readonly Step[]>;
type Step = 'status' | 'delete' | 'authorise' | 'reject' | 'token' | 'refresh' | 'accounts' | 'balances';
type Journey = keyof typeof JOURNEYS;
const NAMES = Object.keys(JOURNEYS) as Journey[];

/** What a client was given last. */
interface Held {
  readonly id: string;
  code: string;
  token: string;
  refresh: string;
  account: string;
}

const CREATE: CallParts = {
  operation: 'consents.create',
  body: { validUntil: '2026-08-01', frequencyPerDay: 4 },
};

function callOf(step: Step, { id, code, token, refresh, account }: Held): CallParts {
  const params = { consentId: id };
  const headers = { Authorization: `Bearer ${token}`, 'Consent-Id': id };
  const client = { client_id: 'A', code_verifier: 'v' };
  const authorize = `scope=AIS:${id}&redirect_uri=https%3A%2F%2Ftpp.example%2Fback&state=${id}&response_type=code`;
  switch (step) {
    case 'status':
      return { operation: 'consents.status', params };
    case 'delete':
      return { operation: 'consents.delete', params };
    case 'authorise':
      return { operation: 'oauth.authorize', query: `${authorize}&scenario=SCA_OK` };
    case 'reject':
      return { operation: 'oauth.authorize', query: `${authorize}&scenario=SCA_REJECTED` };
    case 'token':
      return { operation: 'oauth.token', form: { ...client, grant_type: 'authorization_code', code } };
    case 'refresh':
      return {
        operation: 'oauth.token',
        form: { ...client, grant_type: 'refresh_token', refresh_token: refresh },
      };
    case 'accounts':
      return { operation: 'accounts.list', headers };
    case 'balances':
      return { operation: 'accounts.balances', params: { accountId: account }, headers };
  }
}

const held = (n: number): Held => ({
  ...{ id: `consent-${n}`, code: '', token: '', refresh: '', account: '' },
});

/** A bank that gives everything a name of its own; what is read of an account is of nobody else. */
function record(journeys: readonly Journey[], turns: readonly number[]): Recorded[] {
  const clients = journeys.map((journey, n) => ({
    n,
    own: held(n),
    steps: [...JOURNEYS[journey]] as Step[],
    state: 'received',
  }));
  const created = clients.map(
    ({ own }): Recorded => ({
      call: CREATE,
      answer: { status: 201, body: { consentId: own.id, consentStatus: 'received' } },
    }),
  );
  const later = inTurns(clients, turns).map(({ n, own, client, step }): Recorded => {
    const call = callOf(step, own);
    return { call, answer: answerTo(step, n, own, client) };
  });
  return [...created, ...later];
}

function answerTo(step: Step, n: number, own: Held, client: { state: string }): AnswerParts {
  const back = (what: string) => ({
    status: 302,
    headers: { Location: `https://tpp.example/back?${what}&state=${own.id}` },
  });
  switch (step) {
    case 'status':
      return { body: { consentStatus: client.state } };
    case 'delete':
      client.state = 'terminated';
      return { status: 204 };
    case 'authorise':
      client.state = 'valid';
      own.code = `code-${n}`;
      return back(`code=${own.code}`);
    case 'reject':
      client.state = 'rejected';
      return back('error=access_denied');
    case 'token':
    case 'refresh':
      own.token = `access-${step}-${n}`;
      own.refresh = `again-${step}-${n}`;
      return { body: { access_token: own.token, refresh_token: own.refresh, token_type: 'Bearer' } };
    case 'accounts':
      own.account = `account-${n}`;
      return { body: { accounts: [{ resourceId: own.account }] } };
    case 'balances':
      return { body: { account: own.account, of: `person ${n}` } };
  }
}

/** The steps of all, in an order that keeps that of each. */
function inTurns<T extends { readonly n: number; readonly own: Held; readonly steps: Step[] }>(
  clients: readonly T[],
  turns: readonly number[],
) {
  const order: { n: number; own: Held; client: T; step: Step }[] = [];
  for (let i = 0; ; i++) {
    const left = clients.filter(({ steps }) => steps.length > 0);
    const client = left[(turns[i % turns.length] ?? 0) % left.length];
    if (client === undefined) return order;
    order.push({ n: client.n, own: client.own, client, step: client.steps.shift() as Step });
  }
}

/** What each client was told in the end, and everything that it was told by name. */
async function replay(recorded: readonly Recorded[], journeys: readonly Journey[], turns: readonly number[]) {
  const { ask, report } = aReplay(recorded);
  const clients = [];
  for (const [n, journey] of journeys.entries()) {
    const id: string = (await ask(CREATE))?.json.consentId;
    clients.push({
      n,
      own: { ...held(n), id },
      steps: [...JOURNEYS[journey]] as Step[],
      seen: [] as unknown[],
      told: '',
    });
  }
  for (const { own, client, step } of inTurns(clients, turns)) {
    const seen = await ask(callOf(step, own));
    if (seen === null || seen.miss !== null)
      throw new Error(`${journeys[client.n]}, ${step}: ${seen?.miss?.text}`);
    const { json } = seen;
    const location = seen.answer.header.location ?? '';
    own.code = /code=([^&]*)/.exec(location)?.[1] ?? own.code;
    own.token = json?.access_token ?? own.token;
    own.refresh = json?.refresh_token ?? own.refresh;
    own.account = json?.accounts?.[0].resourceId ?? own.account;
    client.seen.push([step, seen.status, json?.consentStatus ?? /error/.exec(location)?.[0]]);
    client.told += `${seen.text} ${location}\n`;
    if (step === 'balances') expect(json.account).toBe(own.account);
  }
  return { clients, unused: report().unused };
}

const someClients = fc
  .array(fc.constantFrom(...NAMES), { minLength: 2, maxLength: 25, size: 'max' })
  .chain((journeys) =>
    fc.record({
      recorded: fc.constant(journeys),
      replayed: fc.shuffledSubarray(journeys, { minLength: journeys.length, maxLength: journeys.length }),
      turnsThen: fc.array(fc.nat(50), { minLength: 1, maxLength: 40 }),
      turnsNow: fc.array(fc.nat(50), { minLength: 1, maxLength: 40 }),
    }),
  );

describe('clients whose creations are equal, byte by byte', () => {
  it('replay in any order without a miss, each as a recorded one of its own', async () => {
    await fc.assert(
      fc.asyncProperty(someClients, async ({ recorded, replayed, turnsThen, turnsNow }) => {
        const { clients, unused } = await replay(record(recorded, turnsThen), replayed, turnsNow);
        expect(unused).toEqual([]);
        for (const { n, seen } of clients) expect(seen).toEqual(STORY[replayed[n] as Journey]);
        const ids = clients.map(({ own }) => own.id);
        expect(new Set(ids).size).toBe(ids.length);
        const persons = clients.flatMap(({ told }) => [...new Set(told.match(/person \d+/g))]);
        expect(new Set(persons).size).toBe(persons.length);
      }),
      { numRuns: 100 },
    );
  });

  /** Two recorded clients: both create the same, and go on as `first` and `later` say. */
  const twoClients = (later: readonly Recorded[], first: readonly Recorded[] = []): Recorded[] => [
    { call: CREATE, answer: { status: 201, body: { consentId: 'consent-A' } } },
    { call: CREATE, answer: { status: 201, body: { consentId: 'consent-B' } } },
    ...first,
    ...later,
  ];
  const status = (id: string): CallParts => callOf('status', { ...held(0), id });
  const remove = (id: string): CallParts => callOf('delete', { ...held(0), id });

  it('keep their names when they change places, and so does whoever comes later', async () => {
    const { ask } = aReplay(twoClients([{ call: remove('consent-B'), answer: { status: 204 } }]));
    expect((await ask(CREATE))?.json.consentId).toBe('consent-A');
    expect((await ask(remove('consent-A')))?.status).toBe(204);
    expect((await ask(CREATE))?.json.consentId).toBe('consent-B');
    expect((await ask(remove('consent-B')))?.miss?.kind).toBe('differs');
  });

  it('stay what they are once they were told what only one of them was told', async () => {
    const { ask } = aReplay(
      twoClients(
        [{ call: remove('consent-B'), answer: { status: 204 } }],
        ['A', 'B'].map((id) => ({ call: status(`consent-${id}`), answer: { body: { of: `person ${id}` } } })),
      ),
    );
    await ask(CREATE);
    expect((await ask(status('consent-A')))?.json).toEqual({ of: 'person A' });
    expect((await ask(remove('consent-A')))?.miss?.kind).toBe('differs');
  });

  it('may have polled more often than the other one did', async () => {
    const polled = (id: string): Recorded => ({
      call: status(id),
      answer: { body: { consentStatus: 'received' } },
    });
    const { ask } = aReplay(
      twoClients(
        [polled('consent-B'), { call: remove('consent-B'), answer: { status: 204 } }],
        [polled('consent-A'), polled('consent-A'), polled('consent-A')],
      ),
    );
    await ask(CREATE);
    for (let i = 0; i < 3; i++) expect((await ask(status('consent-A')))?.miss).toBeNull();
    expect((await ask(remove('consent-A')))?.status).toBe(204);
  });

  it('are told apart by an authorisation that the recording shows by its token only', async () => {
    const own: Held = { id: 'consent-B', code: 'code-B', token: 'access-B', refresh: '', account: '' };
    const { ask } = aReplay(
      twoClients([
        {
          call: callOf('token', own),
          answer: { body: { access_token: 'access-B', scope: 'AIS:consent-B' } },
        },
        { call: callOf('accounts', own), answer: { body: { accounts: [] } } },
      ]),
    );
    await ask(CREATE);
    const mine = { ...own, id: 'consent-A' };
    const again = async () => (await ask(callOf('authorise', mine)))?.answer.header.location;
    const location = await again();
    expect(location).toContain('code=code-B');
    expect(await again()).toBe(location);
    expect((await ask(callOf('token', mine)))?.status).toBe(200);
    expect((await ask(callOf('accounts', mine)))?.json).toEqual({ accounts: [] });
  });

  it('go the same way of the PSU again after they changed places', async () => {
    const way = (id: string): Recorded => ({
      call: callOf('authorise', { ...held(0), id }),
      answer: {
        status: 302,
        headers: { Location: `https://tpp.example/back?code=code-of-${id}&state=${id}` },
      },
    });
    const { ask } = aReplay(
      twoClients([
        way('consent-A'),
        way('consent-B'),
        { call: remove('consent-B'), answer: { status: 204 } },
      ]),
    );
    await ask(CREATE);
    const again = async () => (await ask(way('consent-A').call))?.answer.header.location;
    const location = await again();
    expect((await ask(remove('consent-A')))?.status).toBe(204);
    expect(await again()).toBe(location);
  });
});

describe('clients that nothing tells apart', () => {
  const create = (id: string): Recorded => ({
    call: CREATE,
    answer: { status: 201, body: { consentId: id } },
  });
  const reads = (id: string, of: string): Recorded => ({
    call: callOf('status', { ...held(0), id }),
    answer: { body: { of } },
  });
  const removes = (id: string): Recorded => ({
    call: callOf('delete', { ...held(0), id }),
    answer: { status: 204 },
  });
  const TPPS = ['ab', 'cd'].map((raw) => aCertificate({ organizationIdentifier: null, fingerprint256: raw }));
  const SENTENCE =
    'These 2 recordings of POST /stdgroup/v1/consents (E1, E2) differ in nothing that a client sends before GET /stdgroup/v1/consents/consent-A/status is answered differently; the recorded order decided.';
  const differing = [
    create('consent-A'),
    create('consent-B'),
    reads('consent-A', 'a'),
    reads('consent-B', 'b'),
  ];

  it('are named by the report once one of them was answered what the other was not', async () => {
    const { ask, report } = aReplay(differing);
    await ask(CREATE);
    expect(report().undecided).toEqual([]);
    await ask(reads('consent-A', '').call);
    expect(report().undecided).toEqual([SENTENCE]);
  });

  it('are named by the miss that comes of it, and by no other', async () => {
    const { ask } = aReplay([...differing, removes('consent-B')]);
    await ask(CREATE);
    expect((await ask(reads('consent-Z', '').call))?.miss?.text).not.toContain('differ in nothing');
    await ask(reads('consent-A', '').call);
    const seen = await ask(removes('consent-A').call);
    expect(seen?.miss?.kind).toBe('differs');
    expect(seen?.miss?.text).toContain(SENTENCE);
  });

  it.each<[string, Recorded[]]>([
    [
      'are answered the same, so that the order decides nothing',
      [create('consent-A'), create('consent-B'), reads('consent-A', 'x'), reads('consent-B', 'x')],
    ],
    [
      'differ in a call before their answers do',
      [
        ...[create('consent-A'), create('consent-B'), removes('consent-A')],
        ...[reads('consent-A', 'a'), reads('consent-B', 'b')],
      ],
    ],
    [
      'come back to addresses of their own',
      differing.map((one, i) =>
        i > 1
          ? one
          : { ...one, call: { ...CREATE, headers: { 'TPP-Redirect-URI': `https://tpp.example/${i}` } } },
      ),
    ],
    [
      'call as different TPPs',
      differing.map((one, i) => ({
        ...one,
        call: { ...one.call, certificate: TPPS[i % 2] as (typeof TPPS)[0] },
      })),
    ],
  ])('are not those that %s', async (_, recorded) => {
    const { ask, report } = aReplay(recorded);
    for (const { call } of recorded) expect((await ask(call))?.miss).toBeNull();
    expect(report().undecided).toEqual([]);
  });
});

const after = { status: 'received', delete: 'terminated', authorise: 'valid', reject: 'rejected' } as const;
/** What a client of each journey is told, step by step. */
const STORY = Object.fromEntries(
  NAMES.map((journey) => {
    let state: string = after.status;
    return [
      journey,
      JOURNEYS[journey].map((step: Step) => {
        if (step in after && step !== 'status') state = after[step as keyof typeof after];
        const status = step === 'delete' ? 204 : step === 'authorise' || step === 'reject' ? 302 : 200;
        const told = step === 'status' ? state : step === 'reject' ? 'error' : undefined;
        return [step, status, told];
      }),
    ];
  }),
) as Record<Journey, unknown[]>;
