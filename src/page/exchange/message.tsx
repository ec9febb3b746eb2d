/** A request or an answer as it was recorded: first line, header fields, body, with what findings mark in it. */
import type { Detail } from '../../admin/index.js';
import { BodyText, type MarkedSpan, MarkedText } from './body-text.js';

type Mark = Detail['findings'][number]['mark'];
type Side = 'request' | 'answer';

export function Message({ exchange, side }: { readonly exchange: Detail; readonly side: Side }) {
  const marks = exchange.findings.map(({ mark }) => mark).filter((mark) => mark.side === side);
  const message = side === 'request' ? exchange.call.request : exchange.answer;
  const title = side === 'request' ? 'Request' : 'Answer';
  if (message === null)
    return (
      <section aria-label={title}>
        <h2>{title}</h2>
        <p class="soft">None was given{exchange.failure === null ? '.' : `: ${exchange.failure.message}`}</p>
      </section>
    );
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {side === 'request' ? (
        <Target exchange={exchange} marks={marks} />
      ) : (
        <Status exchange={exchange} marks={marks} />
      )}
      <Headers
        headers={message.headers}
        marks={marks.filter(({ part }) => part === 'header')}
        title={title}
      />
      <BodyText body={message.body} headers={message.headers} marks={spansOf(marks, 'body')} title={title} />
    </section>
  );
}

function spansOf(marks: readonly Mark[], ...parts: readonly Mark['part'][]): readonly MarkedSpan[] {
  return marks.flatMap(({ part, from, to, isThere, name }) =>
    parts.includes(part) && from !== null && to !== null
      ? [{ from, to, missing: isThere ? null : (name ?? part) }]
      : [],
  );
}

function Target({ exchange, marks }: { readonly exchange: Detail; readonly marks: readonly Mark[] }) {
  const { method, target } = exchange.call.request;
  const isWrong = marks.some(({ part }) => part === 'method');
  return (
    <p class="mono start">
      {isWrong ? <mark>{method}</mark> : method}{' '}
      <MarkedText text={target} spans={spansOf(marks, 'path', 'query')} />
    </p>
  );
}

function Status({ exchange, marks }: { readonly exchange: Detail; readonly marks: readonly Mark[] }) {
  const text = String(exchange.status ?? 'none');
  const isWrong = marks.some(({ part }) => part === 'status');
  return (
    <p class="mono start">
      {isWrong ? <mark>{text}</mark> : text} <span class="soft">by {exchange.source}</span>
    </p>
  );
}

interface HeadersParts {
  readonly headers: Detail['call']['request']['headers'];
  readonly marks: readonly Mark[];
  readonly title: string;
}

function Headers({ headers, marks, title }: HeadersParts) {
  const wrong = new Set(marks.map(({ index }) => index));
  const missing = [...new Set(marks.filter(({ isThere }) => !isThere).map(({ name }) => name))];
  return (
    <table class="headers">
      <caption class="hidden">Header fields of the {title.toLowerCase()}</caption>
      <tbody>
        {headers.map(([name, value], i) => (
          <tr key={`${i} ${name}`}>
            <th scope="row">{name}</th>
            <td>
              <bdi>{wrong.has(i) ? <mark>{value}</mark> : value}</bdi>
            </td>
          </tr>
        ))}
        {missing.map((name) => (
          <tr key={`missing ${name}`}>
            <th scope="row">{name}</th>
            <td>
              <mark class="missing">missing</mark>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
