/** One journey: where it stands, what comes next, and where its chain broke. */
import type { Journey } from '../../admin/index.js';
import { address, hrefWith } from '../address.js';
import { minute, momentOn, shortId } from '../format.js';
import { clock } from '../state/in-force.js';
import { colourOf, filterOf } from '../state/journeys.js';

const NAMES: Readonly<Record<Journey['steps'][number]['step'], string>> = {
  created: 'created',
  psu: 'PSU',
  token: 'token',
  reads: 'reads',
  ended: 'ended',
};

const STEPS = Object.keys(NAMES) as (keyof typeof NAMES)[];

export const titleOf = ({ kind, resource }: Pick<Journey, 'kind' | 'resource'>): string =>
  `${kind === 'consent' ? 'Consent' : 'Payment'} ${shortId(resource ?? 'that failed')}`;

/** `isShared`: other TPPs have a journey of the same id. */
export function Lane({ journey, isShared }: { journey: Journey; isShared: boolean }) {
  const { id, resource, tpp, status, worst, broken } = journey;
  const filter = filterOf(journey);
  const isChosen = address.value.journey === id;
  const there = isChosen ? { journey: null, q: '' } : { journey: id, q: filter ?? '' };
  return (
    <li class={`lane ${isChosen ? 'on' : ''}`} style={colourOf(resource ?? id)}>
      <div class="lane-head">
        <a
          href={hrefWith({ view: 'calls', open: null, ...there })}
          title={resource ?? ''}
          aria-current={isChosen ? 'true' : undefined}
        >
          <b>{titleOf(journey)}</b>
        </a>
        {worst === null ? <span class="soft">{status}</span> : <span class={`badge ${worst}`}>{worst}</span>}
      </div>
      <Steps journey={journey} />
      {isShared ? <p class="lane-line">{tpp === null ? 'of nobody known' : `of ${tpp}`}</p> : null}
      <p class="lane-line">{progressOf(journey)}</p>
      {broken === null ? null : (
        <p class="lane-line broken">
          broken at <b>{nameOf(broken, journey.kind)}</b>
        </p>
      )}
      <Budget journey={journey} />
    </li>
  );
}

/** The steps that are due for each: a payment is the bank's after its SCA. */
const DUE: Readonly<Record<Journey['kind'], readonly string[]>> = {
  consent: ['created', 'psu', 'token', 'reads'],
  payment: ['created', 'psu'],
};

function Steps({ journey: { kind, steps, next, ended } }: { journey: Journey }) {
  const newest = new Map(steps.map((step) => [step.step, step]));
  const shown = STEPS.filter(
    (step) => newest.has(step) || step === next || (!ended && DUE[kind].includes(step)),
  );
  return (
    <ol class="steps">
      {shown.map((name) => {
        const step = newest.get(name);
        const look =
          step === undefined
            ? name === next
              ? 'next'
              : 'later'
            : step.outcome === 'ok'
              ? 'done'
              : step.outcome;
        const text = `${NAMES[name]}${step === undefined ? (name === next ? ', next' : ', later') : `: ${step.outcome}`}`;
        const bar = <span class="hidden">{text}</span>;
        return (
          <li key={name} class={`step ${look}`} title={text}>
            {step?.exchange == null ? (
              bar
            ) : (
              <a href={hrefWith({ view: 'calls', open: step.exchange })}>{bar}</a>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function progressOf({ steps, next, ended, status, token, from, to }: Journey): string {
  const last = steps.at(-1);
  const now = clock.value?.now ?? to;
  const parts: string[] = [];
  if (last === undefined || minute(from) !== minute(last.at)) parts.push(`since ${momentOn(now, from)}`);
  if (ended) parts.push(`ended${status === null ? '' : `, ${status}`}`);
  else if (last !== undefined) parts.push(`${doneOf(last)} ${momentOn(now, last.at)}`);
  if (!ended && next !== null && next !== last?.step) parts.push(`next: ${NAMES[next]}`);
  if (!ended && token !== null)
    parts.push(token.expired ? 'token has ended' : `token ends ${momentOn(now, token.expiresAt)}`);
  return parts.join(' · ');
}

function doneOf({ step, outcome }: Journey['steps'][number]): string {
  if (step === 'ended' && outcome === 'waiting') return 'to be cancelled by the PSU';
  return `${NAMES[step]}${outcome === 'ok' ? '' : `, ${outcome}`}`;
}

const SIGNS = { ok: '✓', broken: '✗', open: '–' } as const;
export const nameOf = (link: Journey['chain'][number]['link'], kind: Journey['kind']): string =>
  link === 'consent' ? kind : link;

export function Chain({ chain, kind }: Pick<Journey, 'chain' | 'kind'>) {
  return (
    <ol class="chain">
      {chain.map(({ link, state }) => (
        <li key={link} class={state}>
          {nameOf(link, kind)} <span aria-hidden="true">{SIGNS[state]}</span>
          <span class="hidden">{state}</span>
        </li>
      ))}
    </ol>
  );
}

function Budget({ journey: { budget, ended } }: { journey: Journey }) {
  if (budget === undefined || ended) return null;
  const { used, allowed, freesUp } = budget;
  return (
    <div class="budget">
      <progress
        max={Math.max(1, allowed)}
        value={Math.min(used, allowed)}
        aria-label="Used of the daily limit"
      />
      <small class="num">
        {used} of {allowed} a day without the PSU, the next at {freesUp}
      </small>
    </div>
  );
}
