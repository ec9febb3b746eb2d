/** What parts of the view of the bank are given. */
export interface WorldParts {
  /** null: the world of calls that name no session. */
  readonly session: string | null;
  /** Differs once something happened to a consent or payment. */
  readonly moved: string | undefined;
}
