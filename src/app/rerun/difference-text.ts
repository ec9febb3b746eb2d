/** A difference in words. */
import type { Difference } from '../../exchange/index.js';

export function differenceText({ class: kind, what, place, was, now }: Difference): string {
  return `${kind}  ${place}: ${changeText(what, was, now)}`;
}

function changeText(what: Difference['what'], was: string, now: string): string {
  if (what === 'added') return `new: ${told(now)}`;
  if (what === 'gone') return now === '' ? `gone, it was ${told(was)}` : `gone, it was ${told(was)}: ${now}`;
  return `${told(was)} → ${told(now)}`;
}

const told = (text: string): string => (text === '' ? '(empty)' : text);
