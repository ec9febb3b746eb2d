/** A place in a text that holds a secret. */
export interface Spot {
  readonly kind: string;
  /** Positions in the text that was looked through; `end` is behind the last character. */
  readonly start: number;
  readonly end: number;
  /** What must not be shown whole. */
  readonly value: string;
}
