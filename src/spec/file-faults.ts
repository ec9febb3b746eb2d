/** Errors about files that the user named: the name, the cause in words, and what to do. */
import { SandgateError } from './sandgate-error.js';

/** By the system's code. */
const READING: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; check its path',
  ENOTDIR: 'a part of its path is a file; check the path',
  EISDIR: 'it is a folder; name a file in it',
  EACCES: 'this user may not read it; change its rights',
  EPERM: 'this user may not read it; change its rights',
  EMFILE: 'too many files are open; raise the limit of open files (ulimit -n)',
  ELOOP: 'its links lead round in a circle; name the file itself',
  ENAMETOOLONG: 'its name is too long; check its path',
};
const WRITING: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder, and it cannot be made; name another place',
  ENOTDIR: 'a part of its path is a file; name another place',
  EEXIST: 'a part of its path is a file; name another place',
  EISDIR: 'it is a folder; name a file in it',
  EACCES: 'this user may not write there; name another place, or change the rights',
  EPERM: 'this user may not write there; name another place, or change the rights',
  EROFS: 'the disk may only be read; name another place',
  ENOSPC: 'the disk is full; make room, or name another place',
  EDQUOT: 'the quota of the disk is used up; make room, or name another place',
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
