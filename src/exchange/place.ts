/** A place in a call or an answer, as reports show it and recordings hold it. */

type Part = 'path' | 'query' | 'header' | 'body' | 'certificate' | 'seal';

/**
 * `header X-Request-ID`, `query dateFrom`, `body access.allPsd2`, `answer body _links`, `answer status`; a part alone is
 * the whole of it. The seal is the certificate of a signature. In a difference between two answers the side is not said: `status`, `body accounts[].iban`.
 */
export type Place =
  | 'connection'
  /** A rule that gives no verdict. */
  | 'rule'
  | 'method'
  | 'status'
  | 'answer'
  | 'answer status'
  | Part
  | `${Part} ${string}`
  | `body[]${string}`
  | `answer ${'header' | 'body'}`
  | `answer ${'header' | 'body'} ${string}`;

/** A member below a place that is a body, or is in one: `body` and `access`, then `body access` and `balances`. */
export function memberPlace(place: Place, member: string): Place {
  if (member === '') return place;
  return (place === 'body' || place === 'answer body' ? `${place} ${member}` : `${place}.${member}`) as Place;
}

/** A place that a file or the store holds, or that was cleaned of secrets: what began as one is still one. */
export function placeFrom(text: string): Place {
  return text as Place;
}
