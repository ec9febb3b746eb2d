/** The interface of a report's collectors: each sees every exchange once, in order, and gives its part at the end. */
import { type Exchange, isObject, linkOf, mediaType } from '../../exchange/index.js';
import type { Ledger } from '../../ledger/index.js';
import { scaLinkForm } from '../../spec/index.js';
import type { RecordedExchange } from '../../store/index.js';
import type { Mark } from '../model.js';

export type Seen = ReturnType<typeof seeExchange>;

export type Collector<T> = { readonly take: (seen: Seen) => void; readonly finish: () => T };

/** `owner`: the TPP that it is of; null: nobody known. */
export function seeExchange(record: RecordedExchange, seq: number, ledger: Ledger, owner: string | null) {
  const { exchange, findings } = record;
  const status = exchange.answer?.status ?? null;
  return {
    /** Place in the recording, from 1. */
    seq,
    record,
    at: new Date(exchange.call.at).toISOString(),
    status,
    ok: status !== null && status >= 200 && status < 400,
    marks: findings.map(
      ({ rule, severity, judges, place, waived }): Mark => ({
        rule,
        severity,
        judges,
        place,
        waived: waived !== undefined,
      }),
    ),
    ledger,
    owner,
  };
}

export function answerMembers({ answer }: Exchange): Readonly<Record<string, unknown>> {
  return answer?.content.kind === 'json' ? membersOf(answer.content.value) : {};
}

export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** The first code of tppMessages, or that of problem+json; undefined where there is none. */
export function messageCode(exchange: Exchange): string | undefined {
  const { tppMessages, code } = answerMembers(exchange);
  const first = Array.isArray(tppMessages) ? membersOf(tppMessages[0]).code : code;
  return typeof first === 'string' ? first.slice(0, 60) : undefined;
}

/** The form of a scaOAuth link by its path (§Authentication 4); undefined without one. */
export function linkForm(exchange: Exchange): 'discovery' | 'direct' | undefined {
  const href = linkOf(exchange.answer?.content, 'scaOAuth');
  return href === undefined ? undefined : scaLinkForm(href);
}

export function answerMediaType({ answer }: Exchange): string {
  return mediaType(answer?.header['content-type']);
}

/** Counts texts, at most so many different ones: the rest counts as `others`. */
export function createTallies(most: number) {
  const counts = new Map<string, number>();
  return {
    add(value: string): void {
      const key = counts.has(value) || counts.size < most ? value : 'others';
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    /** The most frequent first. */
    list: (): { value: string; count: number }[] =>
      [...counts]
        .map(([value, count]) => ({ value, count }))
        .sort((a, b) => b.count - a.count || order(a.value, b.value)),
  };
}

/** Orders by code unit, the same on every machine. */
export const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
