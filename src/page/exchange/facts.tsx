/** Who answered, when, how long it took, a way to its journey, and the certificate and connection of the call. */
import type { Detail } from '../../admin/index.js';
import { hrefWith } from '../address.js';
import { millis } from '../format.js';
import { titleOf } from '../journeys/lane.js';
import { journeys } from '../state/journeys.js';
import { Row } from '../view.js';

export function Facts({ exchange }: { exchange: Detail }) {
  const { id, at, session, operation, source, fault, failure, injected, sender, resources, call } = exchange;
  const those = resources.flatMap(({ id }) => journeys.value.find(({ resource }) => resource === id) ?? []);
  return (
    <dl class="kv">
      <Row term="Answered by">{source ?? `nobody${fault === null ? '' : `: ${fault}`}`}</Row>
      {sender === null ? null : (
        <Row term="Sent by">Sandgate, for its operator; no TPP is judged by it in a report</Row>
      )}
      {injected === null ? null : <Row term="Injected">{injected}</Row>}
      {failure === null ? null : <Row term="Failure">{failure.message}</Row>}
      <Row term="Time">
        <time class="num">{at.replace('T', ' ').replace('Z', ' UTC')}</time>
      </Row>
      <Row term="Took">
        <Timings exchange={exchange} />
      </Row>
      <Row term="Operation">{operation ?? `unknown${!call.nearest ? '' : `; nearest: ${call.nearest}`}`}</Row>
      <Row term="Exchange">
        <a class="mono" href={hrefWith({ view: 'exchange', open: id })}>
          {id}
        </a>
      </Row>
      <Row term="Session">
        <a href={hrefWith({ view: 'calls', session, q: '', open: null })}>{session}</a>
      </Row>
      {those.map((journey) => (
        <Row key={journey.id} term="Journey">
          <a href={hrefWith({ view: 'calls', journey: journey.id, open: null })}>
            {titleOf(journey)}, as it stands now
          </a>
        </Row>
      ))}
    </dl>
  );
}

function Timings({ exchange: { elapsed } }: { exchange: Detail }) {
  const own = Math.max(0, elapsed.total - elapsed.answerer);
  return (
    <>
      <span class="num">
        {millis(elapsed.total)}: {millis(own)} in the gateway, {millis(elapsed.answerer)} for the answer
        {elapsed.firstByte === undefined ? '' : `, its first byte after ${millis(elapsed.firstByte)}`}
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

const ABSENT = { absent: 'None was presented.', 'not-observed': 'It was not observed.' } as const;

const CardRows = ({ card }: { card: Detail['card'] }) => (
  <>
    {card.map(([term, text]) => (
      <Row key={`${term} ${text}`} term={term}>
        {text}
      </Row>
    ))}
  </>
);

export function SealCard({ exchange: { sealCard } }: { exchange: Detail }) {
  return sealCard.length === 0 ? null : (
    <details class="card">
      <summary>Certificate of the signature</summary>
      <dl class="kv">
        <CardRows card={sealCard} />
      </dl>
    </details>
  );
}

export function CertificateCard({ exchange }: { exchange: Detail }) {
  const { certificate, connection } = exchange.call;
  const tls = connection.tls as { version?: string; cipher?: string } | null | undefined | string;
  return (
    <details class="card" open>
      <summary>Certificate and connection</summary>
      <dl class="kv">
        {typeof certificate === 'string' ? <Row term="Certificate">{ABSENT[certificate]}</Row> : null}
        {certificate === 'absent' ? null : <Row term="TPP">{exchange.tpp ?? 'not known'}</Row>}
        <CardRows card={exchange.card} />
        <Row term="From">
          {connection.address}, {exchange.listener} listener
        </Row>
        <Row term="TLS">
          {tls == null
            ? 'plain HTTP'
            : typeof tls === 'string'
              ? 'not observed'
              : `${tls.version}, ${tls.cipher}`}
        </Row>
      </dl>
    </details>
  );
}
