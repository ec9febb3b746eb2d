/** Reads what is learned of contents and queries: texts of bearable length, whole numbers. */
import {
  type Call,
  type Content,
  formValue,
  linkOf,
  memberOf,
  ownCopy,
  queryValue,
  textMember,
} from '../exchange/index.js';

/** Longer ids, codes and addresses than this are not learned: nothing of the interface is as long. */
const LONGEST = 2_000;

export const shortMember = (content: Content, name: string) => shortText(textMember(content, name));
export const shortLink = (content: Content, name: string) => shortText(linkOf(content, name));
export const shortField = (content: Content, name: string) => shortText(formValue(content, name));
export const shortParameter = (call: Call, name: string) => shortText(queryValue(call, name));

/** A member of a JSON content that is a whole number. */
export function wholeMember(content: Content, name: string): number | undefined {
  const value = content.kind === 'json' ? memberOf(content.value, name) : undefined;
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

/** A text that is not empty; for itself, so that a fact does not keep the call alive that it was learned of. */
export function shortText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST ? ownCopy(value) : undefined;
}
