/** Answers one call of a replay: finds the recorded call and answers, or explains why there is none. */
import { type Answer, type Call, type Exchange, queryValue } from '../../exchange/index.js';
import type { Finding } from '../../rules/index.js';
import { isReturnAddress } from '../../spec/index.js';
import type { Answered } from '../answerer.js';
import { answerErrorPage, answerReturnTwice } from '../page.js';
import { answerRedirect, appendQuery } from '../render.js';
import { type Flow, isAuthorizationRequest } from './authorization-calls.js';
import { createAuthorizationRequests, differencesIn } from './authorization-requests.js';
import { type Bindings, createBindings } from './bindings.js';
import { createClients } from './clients.js';
import type { Entry } from './entries.js';
import { createExplainer, type Reason } from './explain.js';
import { coarseKey, signsOf } from './field-keys.js';
import { createFinder, type Sought } from './find.js';
import { createMatchPlans } from './match-plan.js';
import { answerMiss, type Miss } from './miss.js';
import { createValueNotes } from './note-values.js';
import { openRecording } from './open-recording.js';
import { type Accepts, type Picked, pick, use } from './pick.js';
import type { ReplayParts } from './replay-parts.js';
import { createTemplates } from './template.js';

interface Found {
  readonly entry: Entry;
  readonly sought: Sought;
}

/** The entry or the way of the PSU that answers, or why there is none. */
type Decision = Found | { readonly flow: Flow } | { readonly reason: Reason };

export function createAnswerCall(
  parts: ReplayParts,
  exchanges: readonly Exchange[],
  addMiss: (miss: Miss) => void,
) {
  const { hasNext = false, fingerprint } = parts;
  const plans = createMatchPlans(parts.options);
  const recording = openRecording(exchanges, plans, parts.options.dates === 'keep');
  const bindings = createBindings(recording, fingerprint, parts.pseudonyms);
  const templateOf = createTemplates(recording, bindings, parts);
  const authorizationRequests = createAuthorizationRequests(recording, bindings);
  const { find } = createFinder(recording, bindings);
  const clients = createClients(recording, bindings, authorizationRequests, templateOf);
  const { noteCall, noteAnswer, noteOutcome } = createValueNotes(recording, bindings);
  const explain = createExplainer(recording, bindings, parts);

  function decide(call: Call, days: number, accepts?: Accepts): Decision {
    const { sought, queues } = find(call, days);
    if (sought === null) return { reason: { kind: 'not-recorded' } };
    const signs = signsOf(call, sought.sent);
    let picked: Exclude<Picked, { kind: 'entry' }> | null = null;
    for (const queue of queues) {
      const next = pick(queue, signs, accepts);
      if (next.kind === 'entry') return { entry: next.entry, sought };
      if (picked === null || next.kind === 'used-up') picked = next;
    }
    if (picked === null) return { reason: { kind: 'differs', sought, days } };
    const { flow, uses } = picked.entry;
    if (flow !== null && uses === 0 && picked.kind === 'used-up')
      return { reason: { kind: 'differs', sought, days, asked: differencesIn(flow.asked, call) } };
    const repeats = picked.kind === 'used-up' && sought.group.plan.afterLast === 'repeat';
    return repeats ? { entry: picked.entry, sought } : { reason: picked };
  }

  function decideAuthorise(call: Call, days: number): Decision {
    const onward = authorizationRequests.next(call);
    if (onward !== null) return { flow: onward };
    const decision = decide(call, days, authorizationRequests.accepts(call));
    if (!('reason' in decision)) return decision;
    const otherwise = authorizationRequests.otherwise(call);
    return otherwise === null ? decision : { flow: otherwise };
  }

  function namesIn(call: Call, sought: Sought | null): readonly string[] {
    const bound = sought?.fields.flatMap(({ as, value }) => (as === 'bind' ? value : []));
    return bound ?? authorizationRequests.names(call);
  }

  /** Decides as for another recorded client, if this client can be one that has what it asks for. */
  function decideAsAnother(call: Call, days: number, look: () => Decision): Decision | null {
    const { sought } = find(call, days);
    const coarse = sought?.group.coarse.get(coarseKey(sought.fields));
    const items = (coarse?.queues ?? []).flatMap(({ all }) => all.entries);
    if (isAuthorizationRequest(call)) items.push(...recording.unseen);
    return clients.until(namesIn(call, sought), items, () => {
      const decision = look();
      return 'reason' in decision ? null : decision;
    });
  }

  function miss(call: Call, days: number, reason: Reason, findings: readonly Finding[]): Answered | null {
    const afterLast = plans.get(isAuthorizationRequest(call) ? 'oauth.authorize' : call.operation)?.afterLast;
    const isFollowed = typeof hasNext === 'function' ? hasNext(call) : hasNext;
    const handedOn = isFollowed && (reason.kind !== 'used-up' || afterLast === 'next');
    const undecided = handedOn ? null : clients.whyUndecided(namesIn(call, find(call, days).sought));
    const explained = explain(call, { reason, handedOn, findings, undecided });
    addMiss(explained);
    if (handedOn) return null;
    // With the fault it is no answer of the bank, and the rules for banks leave it alone.
    return {
      answer: answerMiss(call, explained),
      fault: { kind: 'refused', message: explained.text },
    };
  }

  function end(flow: Flow, call: Call): Answered {
    authorizationRequests.remember(call, flow);
    noteOutcome(flow);
    const { injected } = flow;
    const once = answerOutcome(flow, call, bindings, recording.redirectUris);
    if (injected === undefined) return { answer: once };
    const { location } = once.header;
    const isTwice = injected.kind === 'return/twice' && location !== undefined;
    return { answer: isTwice ? answerReturnTwice(call, 'replay', location) : once, injected };
  }

  function answerFrom({ entry, sought }: Found, call: Call, days: number, findings: readonly Finding[]) {
    const isCut = entry.answer.body?.truncated === true;
    if (isCut && call.listener !== 'psu') return miss(call, days, { kind: 'incomplete', entry }, findings);
    use(entry);
    noteCall(entry, sought, days);
    if (entry.flow !== null) return end(entry.flow, call);
    if (isCut) return { answer: answerPageOf(call, entry.answer.status) };
    const template = templateOf(entry);
    noteAnswer(entry, template.values);
    const answer = template.render(days, call.header['x-request-id']);
    const { fault, injected } = entry.exchange;
    if (injected !== undefined) return { answer, injected };
    return fault === null ? { answer } : { answer, fault };
  }

  return {
    recording,
    undecided: clients.undecided,
    answer: (
      call: Call,
      days: number,
      findings: readonly Finding[],
    ): { readonly answered: Answered | null; readonly took: number } => {
      const look = () => (isAuthorizationRequest(call) ? decideAuthorise(call, days) : decide(call, days));
      const first = look();
      const decision = 'reason' in first ? (decideAsAnother(call, days, look) ?? first) : first;
      if ('reason' in decision) return { answered: miss(call, days, decision.reason, findings), took: 0 };
      if ('flow' in decision) return { answered: end(decision.flow, call), took: 0 };
      const took = isAuthorizationRequest(call) ? 0 : decision.entry.exchange.elapsed.total;
      return { answered: answerFrom(decision, call, days, findings), took };
    },
  };
}

const NOT_RECORDED = {
  error: 'access_denied',
  error_description: 'The recording does not show how this authorisation ended.',
} as const;

/** `redirectUris`: those that recorded creations named; an error may have gone to another than the redirect_uri. */
function answerOutcome(
  { outcome, injected }: Flow,
  call: Call,
  bindings: Bindings,
  redirectUris: readonly string[],
): Answer {
  if (outcome.kind === 'page') return answerPageOf(call, outcome.status);
  const redirectUri = queryValue(call, 'redirect_uri') ?? '';
  if (!isReturnAddress(redirectUri)) {
    const texts = ['redirect_uri is missing, or is not an absolute address of the web or of an app.'];
    return answerErrorPage(call, 'replay', { status: 400, title: 'Invalid request', texts });
  }
  const sent = queryValue(call, 'state');
  const state = injected?.kind === 'return/other-state' ? `${sent?.slice(0, -1)}~` : sent;
  const runOf = (value: string) => bindings.runOf(value) ?? value;
  const sendBack = (base: string, parameters: Readonly<Record<string, string | undefined>>) =>
    answerRedirect(call, 'replay', appendQuery(base, parameters));
  if (outcome.kind === 'code') return sendBack(redirectUri, { code: runOf(outcome.code), state });
  if (outcome.kind === 'unknown') return sendBack(redirectUri, { ...NOT_RECORDED, state });
  const { base, parameters } = outcome;
  // Addresses of the recorded redirect, as this run's creation names them.
  const others = redirectUris.filter((one) => one.split(/[?#]/, 1)[0] === base).map(runOf);
  const said = parameters.map(([name, value]) => [name, name === 'state' ? state : runOf(value)]);
  return sendBack(others.find(isReturnAddress) ?? redirectUri, Object.fromEntries(said));
}

/** Pages of the PSU are not recorded: one that says so stands in for them. */
function answerPageOf(call: Call, status: number): Answer {
  const texts = [
    `In the recording the bank showed a page here (status ${status}). Pages for the PSU are not recorded, so this one is shown instead.`,
  ];
  return answerErrorPage(call, 'replay', { status, title: 'A page of the bank', texts });
}
