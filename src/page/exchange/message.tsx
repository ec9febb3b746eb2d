/** A request or an answer as it was recorded: first line, header fields, body, with what findings mark in it. */
import { useMemo, useState } from 'preact/hooks';
import type { Detail } from '../../admin/index.js';
import { bytes } from '../format.js';
import { copy, Scroll } from '../view.js';
import { indentJson, type Span } from './indent-json.js';

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

/** Status and body of an answer, to stand beside another. */
export function AnswerOf({ exchange, title, look }: { exchange: Detail; title: string; look: string }) {
  const { answer } = exchange;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <p class="start">
        <span class={`mono ${look}`}>{exchange.status ?? 'none'}</span> {exchange.findings[0]?.sentence ?? ''}
      </p>
      {answer === null ? null : (
        <BodyText body={answer.body} headers={answer.headers} marks={[]} title={title} />
      )}
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

function Headers(parts: {
  headers: readonly (readonly [string, string])[];
  marks: readonly Mark[];
  title: string;
}) {
  const { headers, marks, title } = parts;
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

type Request = Detail['call']['request'];

interface BodyParts {
  readonly body: Request['body'];
  readonly headers: Request['headers'];
  readonly marks: readonly MarkedSpan[];
  readonly title: string;
}

/** In characters: more takes a browser noticeably long to lay out. */
const STEP = 20_000;

function BodyText({ body, headers, marks, title }: BodyParts) {
  const [shown, setShown] = useState(STEP);
  const isJson = headers.some(
    ([name, value]) => name.toLowerCase() === 'content-type' && /[/+]json\b/i.test(value),
  );
  const laidOut = useMemo(() => layOut(body?.text ?? '', isJson, marks), [body]);
  if (body === null || body.size === 0) return <p class="soft">No body.</p>;
  if (body.base64 === true) return <p class="soft">A body of {bytes(body.size)} that is no text.</p>;
  if (body.truncated === true && body.text === '')
    return <p class="soft">A body of {bytes(body.size)} that was not recorded.</p>;
  const rest = laidOut.text.length - shown;
  return (
    <>
      <Scroll label={`Body of the ${title.toLowerCase()}`} look="body">
        <pre>
          <MarkedText text={laidOut.text.slice(0, shown)} spans={laidOut.spans} />
        </pre>
      </Scroll>
      {rest <= 0 ? null : (
        <p>
          <button type="button" onClick={() => setShown(shown + STEP * 5)}>
            Show more
          </button>{' '}
          <button type="button" onClick={() => copy('The body', body.text)}>
            Copy all
          </button>{' '}
          <span class="soft">{bytes(rest)} are not shown.</span>
        </p>
      )}
      {body.truncated === true ? (
        <p class="soft">Only the first part of {bytes(body.size)} was recorded.</p>
      ) : null}
    </>
  );
}

function layOut(text: string, isJson: boolean, marks: readonly MarkedSpan[]) {
  if (!isJson) return { text, spans: marks };
  const laidOut = indentJson(text, marks);
  return {
    text: laidOut.text,
    spans: laidOut.spans.map((span, i) => ({ ...span, missing: marks[i]?.missing ?? null })),
  };
}

interface MarkedSpan extends Span {
  /** The name of what is missing there; null: the text there is wrong. */
  readonly missing: string | null;
}

/** Marks that lie within others are not drawn twice. */
function MarkedText({ text, spans }: { text: string; spans: readonly MarkedSpan[] }) {
  const sorted = [...spans].sort((a, b) => a.from - b.from || b.to - a.to);
  const pieces = [];
  let at = 0;
  for (const { from, to, missing } of sorted) {
    if (from < at || from > text.length) continue;
    pieces.push(text.slice(at, from));
    if (missing === null) pieces.push(<mark key={from}>{text.slice(from, to)}</mark>);
    else
      pieces.push(
        <mark key={`${from} ${missing}`} class="missing">
          missing: {missing}
        </mark>,
      );
    at = missing === null ? Math.max(at, Math.min(to, text.length)) : from;
  }
  return (
    <bdi>
      {pieces}
      {text.slice(at)}
    </bdi>
  );
}
