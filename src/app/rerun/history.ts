/** Dates the differences of a run by the history of those before it. */
import type { Difference } from '../../exchange/index.js';
import { type HistoryPlace, keyOf, type Shape } from './history-file.js';
import type { RerunCall, RerunReport } from './result.js';

/** The report with what `known` says of its differences, and the history to keep. */
export function withHistory(report: RerunReport, known: readonly HistoryPlace[]) {
  const { at } = report;
  const before = new Map(known.map((one) => [keyOf(one), one]));
  const found = new Map<string, HistoryPlace>();
  const compared = new Set<string>();
  let added = 0;
  const calls = report.calls.map((call) => {
    if (!isUsable(call)) return call;
    const operation = call.operation ?? 'none';
    // Another status has another body.
    if (call.was === call.now) compared.add(operation);
    const differences = call.differences.map((difference) => {
      const shape = shapeOf(operation, difference);
      if (shape === null) return difference;
      const key = keyOf(shape);
      const earlier = before.get(key);
      const since = earlier === undefined || earlier.gone !== undefined ? null : earlier.first;
      if (since === null && !found.has(key)) added += 1;
      const exchange = (since === null ? found.get(key) : earlier)?.exchange ?? call.exchange;
      found.set(key, { ...shape, first: since ?? at, last: at, exchange });
      return { ...difference, since };
    });
    return { ...call, differences };
  });
  const left = known.filter((one) => !found.has(keyOf(one)));
  const kept = left.map((one) =>
    one.gone === undefined && compared.has(one.operation) ? { ...one, gone: at } : one,
  );
  const gone = kept.filter((one) => one.gone === at);
  const history = { new: added, known: found.size - added, gone };
  return { report: { ...report, calls, history }, places: [...found.values(), ...kept] };
}

/** A bank that is down says nothing of its interface, and must not pass for one that is known to be. */
const isUsable = ({ outcome, was, now }: RerunCall): boolean =>
  outcome !== 'sent' && outcome !== 'skipped' && now !== null && (now < 500 || now === was);

function shapeOf(operation: string, { class: kind, what, place, was, now }: Difference): Shape | null {
  if (kind !== 'breaking' && kind !== 'additive') return null;
  const shape = { operation, class: kind, what, place: namesIn(place) };
  if (what === 'status') return { ...shape, change: `${was} → ${now}` };
  return what === 'type' ? { ...shape, change: `${firstWord(was)} → ${firstWord(now)}` } : shape;
}

const firstWord = (text: string): string => text.split(' ', 1)[0] ?? '';

/** Names that a programmer gave, with what they belong to. Any other may be an id, a date, or tell of a person. */
const NAMES = /^(?:(?:body|header) )?[A-Za-z_$][\w$-]{0,40}(?:\[\])*(?: \?[A-Za-z_$][\w$-]{0,40})?$/;

const namesIn = (place: string): string =>
  place
    .split('.')
    .map((part) => (NAMES.test(part) && !/\d.*\d/.test(part) ? part : '*'))
    .join('.');
