/** Errors of the program, its user or its environment. In the lowest layer, because every layer may throw one. */

/** What a fault means to a script: 1 a recording that is not as it was recorded, 2 wrong usage or unreadable input, 3 a fault of the program or its surroundings. */
const EXIT_STATUS = { wanting: 1, usage: 2, input: 2, surroundings: 3, internal: 3 } as const;
export type ErrorKind = keyof typeof EXIT_STATUS;

/** `message` is one sentence for the user: what was given, what is wrong with it, what to do. */
export class SandgateError extends Error {
  readonly kind: ErrorKind;
  /** Exit status of a command that fails with it. */
  readonly exitStatus: number;

  constructor(kind: ErrorKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'SandgateError';
    this.kind = kind;
    this.exitStatus = EXIT_STATUS[kind];
  }
}
