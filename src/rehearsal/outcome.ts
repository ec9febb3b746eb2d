/** Judges where an action ended: done, told to the PSU, or one of the ways to fail it. */
import type { WalkEnd } from './drive/driver.js';
import type { Mark } from './plan.js';
import type { Answer } from './request.js';

export type End = 'done' | 'told' | 'stranded' | 'crashed' | 'hung';

export interface Ended {
  readonly end: End;
  readonly why: string;
}

/** Texts that say nothing to a person. */
const SAYS_NOTHING =
  /^(?:(?:internal )?(?:server )?error|not found|bad (?:request|gateway)|forbidden|unauthorized|service unavailable|something went wrong|oops|cannot (?:get|post) \S+|null|undefined|\{\}|\[\]|\[object object\])?[\s.!]*\d{0,3}[\s.!]*$/i;
const LEAST = 12;

export const saysSomething = (text: string): boolean =>
  text.length >= LEAST && !SAYS_NOTHING.test(text.trim());

/** Without its query, which differs from run to run. */
const placeOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? '';

/** `isLate`: the time of the action is over; `holds`: whether a mark's request, if any, is answered 2xx. */
export async function judgeWalk(
  { url, status, text, problem }: WalkEnd,
  marks: { readonly done: Mark; readonly failed?: Mark | undefined },
  at: { readonly isLate: boolean; readonly psuOrigin: string },
  holds: (call: string) => Promise<boolean>,
): Promise<Ended> {
  const place = placeOf(url);
  if (at.isLate) return { end: 'hung', why: `there was no end within the time, at ${place}` };
  if (problem !== null) return { end: 'stranded', why: `the way ended at ${place}: ${problem}` };
  const isOurs = url.startsWith(`${at.psuOrigin}/`);
  if (status !== null && status >= 500 && !isOurs)
    return { end: 'crashed', why: `the application answered ${status} at ${place}` };
  const isAt = async (mark: Mark) =>
    (mark.url === undefined || url.includes(mark.url)) &&
    (mark.text === undefined || text.includes(mark.text)) &&
    (mark.request === undefined || (await holds(mark.request)));
  if (await isAt(marks.done)) return { end: 'done', why: '' };
  if (isOurs) return { end: 'stranded', why: 'the PSU ended at a page of the bank' };
  const isTold = marks.failed === undefined ? saysSomething(text) : await isAt(marks.failed);
  return isTold
    ? { end: 'told', why: 'the PSU was told that it did not work' }
    : { end: 'stranded', why: `the PSU ended at ${place}, which says nothing of what happened` };
}

/** A request without a PSU is done with 2xx; with 4xx the application says that it could not. */
export function judgeAnswer(answer: Answer | string, isLate: boolean): Ended {
  if (isLate) return { end: 'hung', why: 'there was no answer within the time' };
  if (typeof answer === 'string') return { end: 'crashed', why: `the application did not answer: ${answer}` };
  const { status } = answer;
  if (status >= 500) return { end: 'crashed', why: `the application answered ${status}` };
  if (status < 300) return { end: 'done', why: '' };
  return { end: 'told', why: `the application answered ${status}: it did not work` };
}
