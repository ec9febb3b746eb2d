/** One finding, folded: the place, expected and actual, what was asked and answered, and a line that does it again. */
import type { CitedExchange, Excerpt, FindingGroup, Occurrence } from '../../model.js';
import { occurrenceAnchor, ToExchange, useExcerptOf } from '../links.js';
import { type Fact, Facts, filterMarks, Recorded, Time } from '../parts.js';
import { clock, visible } from '../text.js';

interface OccurrenceParts {
  readonly occurrence: Occurrence;
  readonly group: FindingGroup;
  readonly cited: CitedExchange | undefined;
}

export function OccurrenceDetails({ occurrence, group, cited }: OccurrenceParts) {
  const { id, at, method, path, status, waived } = occurrence;
  const { severity, judges } = group;
  return (
    <details
      class="occurrence"
      id={occurrenceAnchor(id)}
      data-f={filterMarks([{ severity, judges, waived: waived !== null }])}
    >
      <summary>
        <span class="num when">{clock(at)}</span>
        <span class="call">
          {visible(method)} {visible(path)}
        </span>
        <span class="num status">{status ?? 'no answer'}</span>
        <span class="place">
          {visible(occurrence.place)}
          {waived === null ? '' : ' (waived)'}
        </span>
      </summary>
      <Facts facts={factsOf(occurrence)} wide />
      {cited === undefined ? null : <Excerpts occurrence={occurrence} cited={cited} />}
    </details>
  );
}

function factsOf(occurrence: Occurrence): readonly Fact[] {
  const { exchange, at, tpp, operation, requestId, expected, actual, waived } = occurrence;
  return [
    ['Expected', visible(expected)],
    ['Found', actual === null ? 'absent' : <Recorded key="actual" text={actual} />],
    ...(waived === null ? [] : [['Waived', visible(waived)] as const]),
    ['Time', <Time key="at" at={at} />],
    ['Operation', operation ?? 'none that is known'],
    ['TPP', tpp === null ? 'not known' : visible(tpp)],
    ['X-Request-ID', requestId === null ? 'absent' : <Recorded key="request" text={requestId} />],
    ['Exchange', <ToExchange key="exchange" id={exchange} />],
  ];
}

/** An exchange that violates several rules is shown once; the others lead there. */
function Excerpts({ occurrence, cited }: { occurrence: Occurrence; cited: CitedExchange }) {
  const shownAt = useExcerptOf(occurrence.exchange);
  if (shownAt === null) {
    return (
      <p class="omitted">
        Request and answer are left out here to keep the page short; the JSON report has them.
      </p>
    );
  }
  if (shownAt !== occurrence.id) {
    return (
      <p>
        Request and answer stand <a href={`#${occurrenceAnchor(shownAt)}`}>with an earlier finding</a>.
      </p>
    );
  }
  return (
    <>
      {cited.injected === null ? null : <p>A fault was injected: {visible(cited.injected)}.</p>}
      <div class="excerpts">
        <ExcerptFigure title="Request" excerpt={cited.request} />
        {cited.answer === null ? (
          <p class="nothing">No answer was given{cited.fault === null ? '.' : `: ${visible(cited.fault)}`}</p>
        ) : (
          <ExcerptFigure title="Answer" excerpt={cited.answer} />
        )}
      </div>
      <figure class="curl">
        <figcaption>
          To send it again
          <button type="button" data-copy hidden>
            Copy
          </button>
        </figcaption>
        <pre>
          <code>{visible(cited.curl)}</code>
        </pre>
      </figure>
    </>
  );
}

function ExcerptFigure({ title, excerpt }: { title: string; excerpt: Excerpt }) {
  const { startLine, headers, body, note } = excerpt;
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <pre>
        <b>{visible(startLine)}</b>
        {'\n'}
        {headers.map(([name, value]) => (
          <>
            <i>{visible(name)}:</i> {visible(value)}
            {'\n'}
          </>
        ))}
        {body === null ? null : `\n${visible(body)}`}
      </pre>
      {note === null ? null : <p class="omitted">{visible(note)}</p>}
    </figure>
  );
}
