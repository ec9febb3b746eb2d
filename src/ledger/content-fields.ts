/** Reads single members of contents of unknown shape. */
import { type Call, type Content, memberOf, ownCopy, queryValue } from '../exchange/index.js';

/** Longer ids, codes and addresses than this are not learned: nothing of the interface is as long. */
const LONGEST = 2_000;

/** A member of a JSON content that is a text of bearable length and not empty. */
export function textMember(content: Content, name: string): string | undefined {
  return content.kind === 'json' ? shortText(memberOf(content.value, name)) : undefined;
}

/** A member of a JSON content that is a whole number. */
export function wholeMember(content: Content, name: string): number | undefined {
  const value = content.kind === 'json' ? memberOf(content.value, name) : undefined;
  return Number.isSafeInteger(value) ? (value as number) : undefined;
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
  return shortText(queryValue(call, name));
}

/** `_links.{name}.href` of an answer. */
export function linkOf(content: Content, name: string): string | undefined {
  if (content.kind !== 'json') return undefined;
  return shortText(memberOf(memberOf(memberOf(content.value, '_links'), name), 'href'));
}
