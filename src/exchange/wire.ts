/** Messages on the wire and their parsed parts: the types that calls and answers share. */

/** Header fields in the order and letter case in which they came, duplicates kept. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Names and values of a query or a form, decoded, in their order. */
export type ParameterList = readonly (readonly [name: string, value: string])[];

/** Header values by lower-case name; of duplicates joined with `, ` as RFC 9110 5.3 has it. */
export type HeaderIndex = Readonly<Record<string, string>>;

export interface Body {
  /** Decoded of any content coding; UTF-8 text, or base64 where `base64` is set. */
  readonly text: string;
  readonly base64?: true;
  /** Bytes on the wire. */
  readonly size: number;
  /** Only the first part is in `text`; `sha256` (hex) is of all wire bytes. */
  readonly truncated?: true;
  readonly sha256?: string;
  /** Hashes (hex) of the bytes on the wire, of a body with a Digest whose content coding was undone. */
  readonly coded?: { readonly sha256: string; readonly sha512: string };
}

/** A body as its media type reads. Derived from `Body`, never stored. */
export type Content =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly fields: ParameterList }
  /** Text, XML, bytes: nothing to look into. */
  | { readonly kind: 'opaque' }
  /** Does not parse as its media type says; `problem` tells where. */
  | { readonly kind: 'unparseable'; readonly problem: string }
  | { readonly kind: 'not-observed' };
