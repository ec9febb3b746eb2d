/** Which of the two error bodies of the standard a caller asked for. */

interface Range {
  readonly type: string;
  readonly quality: number;
}

const PROBLEM = 'application/problem+json';
/** How near a range is to plain JSON; the nearest one decides its quality. */
const JSON_RANGES = ['*/*', 'application/*', 'application/json'];

/** Whether Accept puts application/problem+json before application/json. Without a word on it, it does not. */
export function prefersProblem(accept: string | undefined): boolean {
  if (accept === undefined || !accept.toLowerCase().includes(PROBLEM)) return false;
  const ranges = accept.split(',', 50).map(readRange);
  const at = ranges.findIndex(({ type }) => type === PROBLEM);
  const problem = ranges[at]?.quality ?? 0;
  if (problem === 0) return false;
  let [json, nearness, jsonAt] = [0, -1, ranges.length];
  for (const [i, { type, quality }] of ranges.entries()) {
    const near = JSON_RANGES.indexOf(type);
    if (near > nearness) [json, nearness, jsonAt] = [quality, near, i];
  }
  // If both are equally welcome, the type named exactly wins, then the type named first.
  return problem > json || (problem === json && (nearness < 2 || at < jsonAt));
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}
