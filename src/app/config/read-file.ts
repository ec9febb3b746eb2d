/** What the name of a recording means: a file or a session. */
import { statSync } from 'node:fs';
import { SandgateError, slipOf } from '../../spec/index.js';

/** Whether the name of a recording looks like a path; any other is that of a session first. */
export const looksLikeFile = (name: string): boolean => /[/\\]|\.(?:json|har|cassette)$/i.test(name);

export function isFile(name: string): boolean {
  try {
    return statSync(name).isFile();
  } catch {
    return false;
  }
}

/** A name is a session first; what looks like a path is a file first. @throws SandgateError where it is neither */
export function pickSource(
  name: string,
  {
    isFile,
    isSession,
    store,
  }: { readonly isFile: boolean; readonly isSession: boolean; readonly store: string },
  sessions: readonly string[],
): 'file' | 'session' {
  if (isFile && (looksLikeFile(name) || !isSession)) return 'file';
  if (isSession) return 'session';
  const meant = slipOf(name, sessions);
  const near =
    sessions.length === 0
      ? 'The store holds none: sandgate serve records one, sandgate sessions import reads one from a file.'
      : meant === ''
        ? 'sandgate sessions lists what it holds'
        : `Did you mean ${meant}?`;
  throw new SandgateError('recording.unknown', { name, store, known: near });
}
