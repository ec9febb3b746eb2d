/** Something found in a text that should not be in a file that others read. */
export interface Spot {
  readonly kind: string;
  /** Positions in the text that was looked through; `end` is behind the last character. */
  readonly start: number;
  readonly end: number;
  /** What must not be shown whole. */
  readonly value: string;
}
