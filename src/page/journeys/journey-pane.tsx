/** A journey as a sequence of its calls: a list whose rows are drawn between TPP, gateway, PSU and bank. */
import { useEffect } from 'preact/hooks';
import type { Journey, Runs } from '../../admin/index.js';
import { address, go, hrefWith } from '../address.js';
import { useGet } from '../api.js';
import { counted, millis, minute, shortPath, span } from '../format.js';
import { journeys } from '../state/journeys.js';
import { Chain, nameOf, titleOf } from './lane.js';

type Run = Runs[number];
type Call = Run['calls'][number];

/** Each with its place from the left, in percent. */
const PARTIES = { PSU: 10, TPP: 36, Sandgate: 64, bank: 90 } as const;
type Party = keyof typeof PARTIES;

const ASKED: ReadonlySet<string | null> = new Set(['upstream', 'emulator', 'replay']);

const CALLERS = { api: 'TPP', psu: 'PSU', callback: 'bank' } as const;

function endsOf({ listener, source, sender }: Call): readonly [from: Party, to: Party] {
  const from = sender === null ? CALLERS[listener] : 'Sandgate';
  return [from, from === 'bank' ? 'TPP' : ASKED.has(source) ? 'bank' : 'Sandgate'];
}

export function JourneyPane({ id }: { id: string }) {
  const { session } = address.value;
  const journey = journeys.value.find((one) => one.id === id);
  const asked = useGet<Runs>(`/api/journeys/${encodeURIComponent(id)}`, { session });
  const newest = journey?.newest;
  useEffect(() => {
    if (newest !== undefined) asked.again();
  }, [newest]);
  return (
    <section class="pane" aria-label="The journey that is open">
      <div class="pane-head">
        <span class="soft">
          {journey === undefined ? '' : (journey.tpp ?? 'a TPP that showed no certificate')}
        </span>
        <button type="button" class="icon" aria-label="Close" onClick={() => go({ journey: null, q: '' })}>
          ×
        </button>
      </div>
      {asked.problem === null ? null : <p class="problem">{asked.problem}</p>}
      {journey === undefined || asked.value === undefined ? null : (
        <div class="detail">
          <h1>{titleOf(journey)}</h1>
          <Sequence journey={journey} runs={asked.value} />
        </div>
      )}
    </section>
  );
}

function Sequence({ journey, runs }: { journey: Journey; runs: Runs }) {
  const { chain, kind, broken, omitted } = journey;
  const link = chain.find((one) => one.link === broken);
  const rows = runs.flatMap((run, i) => {
    const hops =
      run.count > run.calls.length
        ? [<Fold key={run.from} run={run} />]
        : run.calls.map((call) => (
            <Hop key={call.exchange} call={call} isBroken={call.exchange === link?.exchange} />
          ));
    return i === 0 && omitted > 0
      ? [...hops, <li class="hop soft">{counted(omitted, 'step')} not shown</li>]
      : hops;
  });
  return (
    <>
      <Chain chain={chain} kind={kind} />
      <p class="parties" aria-hidden="true">
        {Object.entries(PARTIES).map(([party, place]) => (
          <b key={party} class="party" style={{ left: `${place}%` }}>
            {party}
          </b>
        ))}
      </p>
      <ol class="sequence" aria-label={`Calls of ${titleOf(journey)}, the oldest first`}>
        {rows}
        <Next journey={journey} />
      </ol>
      {link === undefined ? null : (
        <p class="problem">
          Broken at <b>{nameOf(link.link, kind)}</b>. {link.text}
        </p>
      )}
    </>
  );
}

interface HopParts {
  readonly call: Call;
  readonly isBroken: boolean;
}

function Hop({ call, isBroken }: HopParts) {
  const { exchange, at, past, method, path, status, ms, worst, reason } = call;
  const [from, to] = endsOf(call);
  const hasFailed = status === null || status >= 400;
  return (
    <li class={`hop ${isBroken ? 'broken' : ''}`}>
      <p class="hop-line">
        <span class="hidden">
          {from} to {to}:{' '}
        </span>
        <a href={hrefWith({ open: exchange })} title={`${minute(at)} ${path}`}>
          {method} {shortPath(path)}
        </a>{' '}
        <b class={`num s${status === null ? 5 : Math.floor(status / 100)}`}>{status ?? 'no answer'}</b>{' '}
        <span class="soft num">
          {millis(ms)}
          {past === null ? '' : `, ${span(past)} later`}
        </span>
      </p>
      <Arrow from={from} to={to} hasFailed={hasFailed} />
      {reason === null ? null : (
        <p class="hop-line">
          {worst === null ? null : <span class={`badge ${worst}`}>{worst}</span>}{' '}
          <bdi class={worst === null ? 'soft' : ''}>{reason}</bdi>
        </p>
      )}
    </li>
  );
}

function Fold({ run }: { readonly run: Run }) {
  const { step, outcome, count, found, took, exchange, gravest, worst, calls } = run;
  const past = calls[0]?.past ?? null;
  const what = step === 'reads' ? 'read' : 'call';
  const [caller, asked] = calls[0] === undefined ? (['TPP', 'Sandgate'] as const) : endsOf(calls[0]);
  return (
    <li class="hop run">
      <p class="hop-line">
        <span class="hidden">
          {caller} to {asked}:{' '}
        </span>
        <a
          href={hrefWith({ open: gravest ?? exchange })}
          title="Open the one to look at: the gravest, else the newest"
        >
          {counted(count, what)}
          {found === 0 ? '' : `, ${found} with findings`}
        </a>{' '}
        {worst === null ? null : <span class={`badge ${worst}`}>{worst}</span>}{' '}
        <span class="soft num">
          {outcome === 'ok' ? '' : `${outcome}, `}in {span(took)}
          {past === null ? '' : `, ${span(past)} later`}
        </span>
      </p>
      <Arrow from={caller} to={asked} hasFailed={outcome !== 'ok'} isMany />
    </li>
  );
}

interface ArrowParts {
  readonly from: Party;
  readonly to: Party;
  readonly hasFailed?: boolean;
  readonly isMany?: boolean;
  readonly isNext?: boolean;
}

/** In percent of the width, so that it fits any; the list says the same in words. */
function Arrow({ from, to, hasFailed = false, isMany = false, isNext = false }: ArrowParts) {
  const [start, end] = [PARTIES[from], PARTIES[to]];
  const points = end > start ? '-8,-4 0,0 -8,4' : '8,-4 0,0 8,4';
  const isSeen = start === end || (start - PARTIES.Sandgate) * (end - PARTIES.Sandgate) < 0;
  return (
    <svg class={`arrow ${hasFailed ? 'failed' : ''} ${isNext ? 'next' : ''}`} aria-hidden="true">
      {(isMany ? [4, 12] : [8]).map((y) => (
        <line key={y} x1={`${start}%`} x2={`${end}%`} y1={y} y2={y} />
      ))}
      {isSeen ? <circle cx={`${PARTIES.Sandgate}%`} cy="8" r="3" /> : null}
      {start === end ? null : (
        <svg x={`${end}%`} y="8" overflow="visible" role="presentation">
          <polygon points={points} />
        </svg>
      )}
    </svg>
  );
}

/** The next step: its caller, whom it calls, and what to send. */
const NEXT: Readonly<Record<NonNullable<Journey['next']>, readonly [Party, Party, string]>> = {
  created: ['TPP', 'bank', 'Create it again, corrected.'],
  psu: ['PSU', 'bank', 'Lead the PSU to the link of the creation’s answer: scaRedirect or scaOAuth.'],
  token: [
    'TPP',
    'bank',
    'POST /token with the code of the redirect, code_verifier and the same redirect_uri.',
  ],
  reads: ['TPP', 'bank', 'GET with Authorization: Bearer and the Consent-Id.'],
  ended: ['TPP', 'bank', 'DELETE it when it is no longer needed.'],
};

function Next({ journey: { next, ended, chain, broken, status } }: { journey: Journey }) {
  const fix = chain.find(({ link }) => link === broken)?.fix;
  if (ended) return <li class="hop soft">It has ended{status === null ? '' : `: ${status}`}.</li>;
  if (next === null && fix === undefined) return null;
  const [from, to, text] = NEXT[next ?? 'reads'];
  return (
    <li class="hop">
      <p class="hop-line">
        <b>Send next:</b> {fix ?? text}
      </p>
      <Arrow from={from} to={to} isNext />
    </li>
  );
}
