/** A body: JSON with line breaks, all else as it came. Of a long one the beginning; the rest is shown when it is asked for. */
import { useMemo, useState } from 'preact/hooks';
import type { Detail } from '../../admin/index.js';
import { bytes } from '../format.js';
import { doing } from '../state/said.js';
import { Scroll } from '../view.js';
import { indentJson, type Span } from './indent-json.js';

type Request = Detail['call']['request'];

interface BodyParts {
  readonly body: Request['body'];
  readonly headers: Request['headers'];
  readonly marks: readonly MarkedSpan[];
  readonly title: string;
}

/** In characters: more takes a browser noticeably long to lay out. */
const STEP = 20_000;

export function BodyText({ body, headers, marks, title }: BodyParts) {
  const [shown, setShown] = useState(STEP);
  const isJson = headers.some(
    ([name, value]) => name.toLowerCase() === 'content-type' && /[/+]json\b/i.test(value),
  );
  const laidOut = useMemo(() => layOut(body?.text ?? '', isJson, marks), [body]);
  if (body === null || body.size === 0) return <p class="soft">No body.</p>;
  if (body.base64 === true) return <p class="soft">A body of {bytes(body.size)} that is no text.</p>;
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
          <button type="button" onClick={() => void copyAll(body.text)}>
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

const copyAll = (text: string) =>
  doing(() => navigator.clipboard.writeText(text), 'The body is copied as it was recorded.');

function layOut(text: string, isJson: boolean, marks: readonly MarkedSpan[]) {
  if (!isJson) return { text, spans: marks };
  const laidOut = indentJson(text, marks);
  return {
    text: laidOut.text,
    spans: laidOut.spans.map((span, i) => ({ ...span, missing: marks[i]?.missing ?? null })),
  };
}

export interface MarkedSpan extends Span {
  /** The name of what is missing there; null: the text there is wrong. */
  readonly missing: string | null;
}

/** Marks that lie within others are not drawn twice. */
export function MarkedText({
  text,
  spans,
}: {
  readonly text: string;
  readonly spans: readonly MarkedSpan[];
}) {
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
