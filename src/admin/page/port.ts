/** What the live page is told at its start; all else it asks the API. */
export interface PageAbout {
  readonly version: string;
  /** Addresses of the gateway. */
  readonly urls: { readonly api: string; readonly psu: string };
  /** Address of the bank; null where none is configured. */
  readonly bank: string | null;
  /** Whether what changes something may be asked for. */
  readonly actions: boolean;
  /** Fields of the filter: name, meaning, and a term as an example. */
  readonly fields: readonly (readonly [name: string, meaning: string, example: string])[];
  /** How an SCA may end: scenario and meaning. */
  readonly outcomes: readonly (readonly [scenario: string, meaning: string])[];
}

export interface PagePort {
  /** Where the build put it. */
  readonly folder: string;
  readonly about: () => Omit<PageAbout, 'actions' | 'fields' | 'outcomes'>;
}
