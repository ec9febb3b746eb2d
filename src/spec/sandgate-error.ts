/** The error class of every fault that a user is told. In the lowest layer, because every layer may have one to tell. */
import { EXIT_STATUS, FAULTS, type FaultKind, type FaultRow } from './faults.js';

export type FaultCode = keyof typeof FAULTS;

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

/** A value for each name in braces of the fault's texts. */
export type FaultData<Code extends FaultCode> = Readonly<
  Record<Names<(typeof FAULTS)[Code][1 | 2]>, string | number>
>;

/** `message` is for the user: what was given, what is wrong with it, what to do. The cause is for the log alone. */
export class SandgateError<Code extends FaultCode = FaultCode> extends Error {
  readonly code: Code;
  readonly kind: FaultKind;
  /** Exit status of a command that fails with it. */
  readonly exitStatus: number;

  constructor(code: Code, data: FaultData<Code>, options?: { cause?: unknown }) {
    super(messageOf(FAULTS[code], data), options);
    this.name = 'SandgateError';
    this.code = code;
    this.kind = FAULTS[code][0];
    this.exitStatus = EXIT_STATUS[this.kind];
  }
}

/** A message in the shape “what: what to do.”, or in two sentences if the first has a colon. */
function messageOf([, text, remedy]: FaultRow, data: Readonly<Record<string, string | number>>): string {
  const fill = (part: string) => part.replace(/\{(\w+)\}/g, (_, name) => String(data[name]));
  // Nothing is suggested where nothing is near.
  const known = data.nearest === '' ? remedy.replace(/^Did you mean \S+\? ?/, '') : remedy;
  const [said, todo] = [fill(text), fill(known)];
  const whole =
    todo === ''
      ? said
      : text.includes(':') || /^\p{Lu}/u.test(todo)
        ? `${said}. ${todo[0]?.toUpperCase()}${todo.slice(1)}`
        : `${said}: ${todo}`;
  return /[.?]$/.test(whole) ? whole : `${whole}.`;
}

/** Why a file cannot be read, by the system's code. */
const READING: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; check its path',
  ENOTDIR: 'a part of its path is a file; check the path',
  EISDIR: 'it is a folder; give a file in it',
  EACCES: 'this user may not read it; change its rights',
  EPERM: 'this user may not read it; change its rights',
  EMFILE: 'too many files are open; raise the limit of open files (ulimit -n)',
  ELOOP: 'its links form a circle; give the file itself',
  ENAMETOOLONG: 'its name is too long; check its path',
};
const WRITING: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder, and it cannot be created; give another place',
  ENOTDIR: 'a part of its path is a file; give another place',
  EEXIST: 'a part of its path is a file; give another place',
  EISDIR: 'it is a folder; give a file in it',
  EACCES: 'this user may not write there; give another place, or change the rights',
  EPERM: 'this user may not write there; give another place, or change the rights',
  EROFS: 'the disk is read-only; give another place',
  ENOSPC: 'the disk is full; free some space, or give another place',
  EDQUOT: 'the disk quota is used up; free some space, or give another place',
};

/** `file` as the user named it, with the option in front where one is known: `--crls list.crl`. */
export const unreadable = (file: string, cause: unknown): SandgateError =>
  new SandgateError('file.unreadable', { file, why: wordsOf(cause, READING) }, { cause });

export const unwritable = (file: string, cause: unknown): SandgateError =>
  new SandgateError('file.unwritable', { file, why: wordsOf(cause, WRITING) }, { cause });

function wordsOf(cause: unknown, words: Readonly<Record<string, string>>): string {
  const { code, message } = (cause ?? {}) as NodeJS.ErrnoException;
  return words[code ?? ''] ?? code ?? message ?? 'the reason is unknown';
}
