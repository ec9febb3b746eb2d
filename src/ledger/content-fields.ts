/** Reads single members out of contents that may hold anything. */
import { type Call, type Content, ownCopy } from '../exchange/index.js';

/** Longer ids, codes and addresses than this are not learned: nothing of the interface is as long. */
const LONGEST = 2_000;

/** The member of a JSON object, or undefined. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** A member of a JSON content that is a text of bearable length and not empty. */
export function textMember(content: Content, name: string): string | undefined {
  return content.kind === 'json' ? shortText(member(content.value, name)) : undefined;
}

/** For itself, so that a fact does not keep the call alive that it was learned of. */
export function shortText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST ? ownCopy(value) : undefined;
}

/** The first field of a form with that name. */
export function formField(content: Content, name: string): string | undefined {
  if (content.kind !== 'form') return undefined;
  for (const [field, value] of content.fields) if (field === name) return shortText(value);
  return undefined;
}

/** The first query parameter with that name. */
export function queryField(call: Call, name: string): string | undefined {
  for (const [field, value] of call.request.query) if (field === name) return shortText(value);
  return undefined;
}

/** `_links.{name}.href` of an answer. */
export function linkOf(content: Content, name: string): string | undefined {
  if (content.kind !== 'json') return undefined;
  return shortText(member(member(member(content.value, '_links'), name), 'href'));
}
