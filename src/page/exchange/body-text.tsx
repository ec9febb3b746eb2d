/** A body: JSON with line breaks, all else as it came. Of a long one the beginning; the rest is shown when it is asked for. */
import { useMemo, useState } from 'preact/hooks';
import type { Detail } from '../../admin/index.js';
import { bytes } from '../format.js';
import { Scroll } from '../scroll.js';
import { doing } from '../state/said.js';
import { indentJson } from './indent-json.js';
import { type MarkedSpan, MarkedText } from './marked-text.js';

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
