/** Errors about files that the user named: the name, the cause in words, and what to do. */
import { SandgateError } from './sandgate-error.js';

/** By the system's code. */
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
