/** Who answered, when, how long it took, and where the journey stands. */
import type { Detail } from '../../admin/index.js';
import { hrefWith } from '../address.js';
import { millis } from '../format.js';
import { Chain } from '../journeys/lane.js';
import { Row } from '../kv.js';
import { journeys } from '../state/journeys.js';

export function Facts({ exchange }: { exchange: Detail }) {
  const { id, at, session, operation, source, fault, failure, resource, call } = exchange;
  const journey = resource === null ? undefined : journeys.value.find((one) => one.resource === resource.id);
  return (
    <dl class="kv">
      <Row term="Answered by">{source ?? `nobody${fault === null ? '' : `: ${fault}`}`}</Row>
      {failure === null ? null : <Row term="Failure">{failure.message}</Row>}
      <Row term="Time">
        <time class="num">{at.replace('T', ' ').replace('Z', ' UTC')}</time>
      </Row>
      <Row term="Took">
        <Timings exchange={exchange} />
      </Row>
      <Row term="Operation">
        {operation ?? `unknown${call.nearest === undefined ? '' : `; nearest: ${call.nearest}`}`}
      </Row>
      <Row term="Exchange">
        <a class="mono" href={hrefWith({ view: 'exchange', open: id })}>
          {id}
        </a>
      </Row>
      <Row term="Session">
        <a href={hrefWith({ view: 'calls', session, q: '', open: null })}>{session}</a>
      </Row>
      {journey === undefined ? null : (
        <Row term="Chain">
          <Chain {...journey} />
        </Row>
      )}
    </dl>
  );
}

function Timings({ exchange: { elapsed } }: { exchange: Detail }) {
  const own = Math.max(0, elapsed.total - elapsed.answerer);
  return (
    <>
      <span class="num">
        {millis(elapsed.total)}: {millis(own)} in the gateway, {millis(elapsed.answerer)} for the answer
      </span>
      <progress
        class="timing"
        max={Math.max(elapsed.total, 0.001)}
        value={elapsed.answerer}
        aria-label="Share of the answer in the time"
      />
    </>
  );
}
