/** Consents and payments from their creation to their end. */
import type { Journey, Report, Step } from '../../model.js';
import { Apart } from '../apart.js';
import { ToExchange, ToFinding } from '../links.js';
import { filterMarks, Name, Nothing, Omitted, Recorded, Section, Severity, Time, Wide } from '../parts.js';
import { JourneyPicture, StageMark } from '../pictures/journey.js';
import { Table } from '../table.js';
import { counted, visible } from '../text.js';

export function JourneysSection({ journeys }: { journeys: Report['journeys'] }) {
  return (
    <Section
      id="journeys"
      title="Journeys"
      lead="Each consent and payment over time. The distance of two steps grows with the logarithm of the time between them."
    >
      {journeys.lanes.length === 0 ? (
        <Nothing>There was no call on a consent or payment.</Nothing>
      ) : (
        <Legend />
      )}
      <Apart of={journeys.lanes} each={(journey) => <JourneyArticle journey={journey} />} />
      <Omitted count={journeys.omitted} what="journey" />
    </Section>
  );
}

const STAGES: readonly (readonly [Step['stage'], string, boolean | null])[] = [
  ['created', 'created', null],
  ['authorised', 'authorised by the PSU', null],
  ['token', 'token issued', null],
  ['access', 'access, PSU present', true],
  ['access', 'access, PSU absent', false],
  ['status', 'read', null],
  ['revoked', 'revoked', null],
  ['notified', 'notified', null],
];

function Legend() {
  return (
    <ul class="stages" aria-label="Marks in the pictures">
      {STAGES.map(([stage, text, attended]) => (
        <li key={text}>
          <svg viewBox="-10 -10 20 20" width="20" height="20" aria-hidden="true">
            <StageMark stage={stage} attended={attended} />
          </svg>
          {text}
        </li>
      ))}
      <li>
        <svg viewBox="-10 -10 20 20" width="20" height="20" aria-hidden="true">
          <g class="failed">
            <StageMark stage="access" attended />
            <path class="strike" d="M-7 7 7-7" />
          </g>
        </svg>
        not answered with success
      </li>
      <li>
        <span aria-hidden="true">■ ◆ ○ </span>finding: must, should, note
      </li>
    </ul>
  );
}

function JourneyArticle({ journey }: { journey: Journey }) {
  const id = `journey-${journey.id}`;
  return (
    <article
      class="journey"
      aria-labelledby={id}
      data-f={filterMarks(journey.steps.flatMap(({ findings }) => findings))}
    >
      <h3 id={id}>
        {journey.kind === 'consent' ? 'Consent ' : 'Payment '}
        {journey.resource === '' ? 'that got no id' : <Recorded text={journey.resource} />}
      </h3>
      <p class="tags">
        {tagsOf(journey).map((tag) => (
          <span key={tag}>{tag}</span>
        ))}
      </p>
      <Wide label={`Picture of ${journey.kind} ${visible(journey.resource)}`}>
        <JourneyPicture journey={journey} />
      </Wide>
      <details>
        <summary>{counted(journey.steps.length, 'step')}, one by one</summary>
        <Steps journey={journey} />
        <Omitted count={journey.omitted} what="step" />
      </details>
    </article>
  );
}

function tagsOf(journey: Journey): readonly string[] {
  return [
    ...(journey.sandbox ? ['id of the sandbox'] : []),
    ...(journey.tpp === null ? [] : [visible(journey.tpp)]),
    ...(journey.authorisation === null ? [] : [`${journey.authorisation} authorisation`]),
    ...(journey.link === null ? [] : [`${journey.link} link`]),
    ...(journey.lastStatus === null ? [] : [`last status: ${visible(journey.lastStatus)}`]),
  ];
}

function Steps({ journey }: { journey: Journey }) {
  return (
    <Table
      label={`Steps of ${journey.kind} ${visible(journey.resource)}`}
      caption="Steps"
      isCaptionHidden
      rows={journey.steps}
      columns={[
        [
          'Time, UTC',
          ({ exchange, at }) => (
            <ToExchange id={exchange}>
              <Time at={at} />
            </ToExchange>
          ),
        ],
        ['Step', ({ label }) => label, 'head'],
        ['Operation', ({ operation }) => <Name>{operation}</Name>],
        ['Status', ({ status }) => status ?? 'none', 'num'],
        ['PSU', ({ attended }) => (attended === null ? '–' : attended ? 'present' : 'absent')],
        ['Findings', (step) => <StepFindings step={step} />],
      ]}
    />
  );
}

function StepFindings({ step: { exchange, findings } }: { step: Step }) {
  if (findings.length === 0) return '–';
  return findings.map((mark) => (
    <div key={`${mark.rule} ${mark.place}`}>
      <Severity severity={mark.severity} waived={mark.waived} />{' '}
      <ToFinding exchange={exchange} mark={mark}>
        <Name>{mark.rule}</Name>
      </ToFinding>
    </div>
  ));
}
