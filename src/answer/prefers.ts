/** The form that a caller would rather have than JSON: the other error body of the standard, or XML. */

interface Range {
  readonly type: string;
  readonly quality: number;
}

/** How near a range is to plain JSON; the nearest one decides its quality. */
const JSON_RANGES = ['*/*', 'application/*', 'application/json'];

export const prefersProblem = (accept: string | undefined): boolean =>
  prefersOverJson(accept, 'application/problem+json');

/** Whether Accept puts a type before application/json. Without a word on it, it does not. */
export function prefersOverJson(accept: string | undefined, wanted: string): boolean {
  if (accept === undefined || !accept.toLowerCase().includes(wanted)) return false;
  const ranges = accept.split(',', 50).map(readRange);
  const at = ranges.findIndex(({ type }) => type === wanted);
  const quality = ranges[at]?.quality ?? 0;
  if (quality === 0) return false;
  let [json, nearness, jsonAt] = [0, -1, ranges.length];
  for (const [i, range] of ranges.entries()) {
    const near = JSON_RANGES.indexOf(range.type);
    if (near > nearness) [json, nearness, jsonAt] = [range.quality, near, i];
  }
  // If both are equally welcome, the type named exactly wins, then the type named first.
  return quality > json || (quality === json && (nearness < 2 || at < jsonAt));
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}
