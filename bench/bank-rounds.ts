/**
 * Rounds of creations at a living bank that is killed in the middle of them: what a client was told has happened, once;
 * what it was not told has happened wholly or not at all.
 */
import { createPopulation, type FactChange, readStored } from '../src/bank/index.js';
import { createSqliteStore } from '../src/store/index.js';
import { ask, authorise, createConsent, createPayment, openTpp, type Tpp } from './living-tpp.js';
import type { Server } from './processes.js';

export interface RoundsParts {
  /** A living bank of seed 42 on this store; again after it was killed. */
  readonly start: () => Promise<Server>;
  readonly store: string;
  readonly certs: string;
  readonly rounds: number;
  readonly clients: number;
  /** How many answers come before it is killed, in a round; the other clients are in the middle of something. */
  readonly after: (round: number) => number;
}

export interface Told {
  readonly consents: Set<string>;
  readonly payments: Set<string>;
  /** Those of them that were authorised by the PSU, as the redirect to the TPP said. */
  readonly authorised: Set<string>;
}

export interface RoundsDone {
  readonly told: number;
  /** That happened and nobody was told. */
  readonly untold: number;
  /** What does not hold, in sentences; none where all is well. */
  readonly broken: readonly string[];
}

export async function killInTheMiddle(parts: RoundsParts): Promise<RoundsDone> {
  const told: Told = { consents: new Set(), payments: new Set(), authorised: new Set() };
  const broken: string[] = [];
  for (let round = 0; round < parts.rounds; round++) {
    const server = await parts.start();
    const gone = new Promise((resolve) => server.process.once('exit', resolve));
    let left = parts.after(round);
    const onAnswer = (): void => {
      if (--left === 0) server.process.kill('SIGKILL');
    };
    const clients = Array.from({ length: parts.clients }, (_, i) =>
      create(server, parts.certs, { told, onAnswer }, i % 2 === 0),
    );
    await Promise.all([gone, ...clients]);
  }
  const server = await parts.start();
  broken.push(...(await notAnswered(server, parts.certs, told)));
  await server.stop();
  const { problems, happened } = compare(parts.store, told);
  const count = told.consents.size + told.payments.size;
  return { told: count, untold: happened - count, broken: [...broken, ...problems] };
}

const [account] = createPopulation({ seed: 42, count: 10 }).accountsOf('psu-1');

interface Round {
  readonly told: Told;
  readonly onAnswer: () => void;
}

/** Goes on until nobody answers any more. */
async function create(
  { port }: Server,
  certs: string,
  { told, onAnswer }: Round,
  isPayer: boolean,
): Promise<void> {
  const tpp = openTpp(port, certs);
  const answered = <T>(answer: T): T => {
    onAnswer();
    return answer;
  };
  try {
    for (;;) {
      const sent = isPayer ? createPayment(tpp, account?.iban ?? '', '0.01') : createConsent(tpp);
      const created = await sent.then(answered);
      if (created.status !== 201) throw new Error(`a creation was answered ${created.status}`);
      const id: string = isPayer ? created.json.paymentId : created.json.consentId;
      (isPayer ? told.payments : told.consents).add(id);
      const code = await authorise(tpp, created, `${isPayer ? 'PIS' : 'AIS'}:${id}`).then(answered);
      if (code !== '') told.authorised.add(id);
    }
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('a creation')) throw error;
  } finally {
    await tpp.dispatcher.destroy();
  }
}

async function notAnswered({ port }: Server, certs: string, told: Told): Promise<string[]> {
  const tpp = openTpp(port, certs);
  const wrong: string[] = [];
  const look = async (tpp: Tpp, path: string, wanted: (json: Record<string, string>) => boolean) => {
    const { status, json } = await ask(tpp, `${tpp.v1}${path}/status`);
    if (status !== 200 || !wanted(json)) wrong.push(`${path} is answered ${status} ${JSON.stringify(json)}`);
  };
  for (const id of told.consents)
    await look(
      tpp,
      `/consents/${id}`,
      ({ consentStatus }) => !told.authorised.has(id) || consentStatus !== 'received',
    );
  for (const id of told.payments)
    await look(
      tpp,
      `/payments/sepa-credit-transfers/${id}`,
      ({ transactionStatus }) => !told.authorised.has(id) || transactionStatus !== 'RCVD',
    );
  await tpp.close();
  return wrong;
}

/** Facts against the recorded exchanges: each creation is both or neither, and whole. */
function compare(path: string, told: Told): { problems: string[]; happened: number } {
  const store = createSqliteStore({ path, readonly: true });
  const facts = store.worlds.layers('').flatMap((layer) => [...layer.facts].map(readStored));
  const of = (family: FactChange['family']) => facts.filter((one) => one.family === family);
  const keys = (family: FactChange['family']) => new Set(of(family).map(({ key }) => key));
  const problems: string[] = [];
  const recorded = new Map<string, number>();
  for (const { name } of store.sessions())
    for (const { exchange } of store.read(name)) {
      const { call, answer } = exchange;
      if (answer?.status !== 201 || answer.content.kind !== 'json') continue;
      if (call.operation !== 'consents.create' && call.operation !== 'payments.create') continue;
      const { consentId, paymentId } = answer.content.value as Record<string, string>;
      const id = consentId ?? paymentId ?? '';
      recorded.set(id, (recorded.get(id) ?? 0) + 1);
    }
  const made = new Set([...keys('bankConsents'), ...keys('bankPayments')]);
  for (const id of made)
    if (recorded.get(id) !== 1) problems.push(`${id} is recorded ${recorded.get(id) ?? 0} times`);
  for (const id of recorded.keys()) if (!made.has(id)) problems.push(`${id} is recorded and not known`);
  for (const id of [...told.consents, ...told.payments])
    if (!made.has(id)) problems.push(`${id} was told and is gone`);
  const authorisations = keys('bankAuthorisations');
  for (const { key, fact } of [...of('bankConsents'), ...of('bankPayments')])
    for (const id of (fact as { authorisations: readonly string[] }).authorisations)
      if (!authorisations.has(id)) problems.push(`${key} has lost its authorisation ${id}`);
  for (const { name } of store.sessions())
    for (const found of store.chains.verify(name))
      problems.push(`the chain is broken: ${JSON.stringify(found)}`);
  store.close();
  return { problems, happened: made.size };
}
