/** Text with places marked in it. */
import type { Span } from './indent-json.js';

export interface MarkedSpan extends Span {
  /** What is missing there; null: what stands there is wrong. */
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
