/** Redacts notes, as records are: operators may write a secret into one, or whose account it is. */
import { type Fingerprint, type Pseudonyms, redactValue, type SessionNote } from '../exchange/index.js';

/** Their texts are an operator's own; those of others are settings and times. */
const IN_WORDS: ReadonlySet<SessionNote['kind']> = new Set<SessionNote['kind']>(['bank', 'mark']);

/** Doing it a second time changes nothing more. */
export function redactNote(
  note: SessionNote,
  fingerprint: Fingerprint,
  pseudonyms?: Pseudonyms,
): SessionNote {
  const redacted = IN_WORDS.has(note.kind)
    ? ({ ...note, settings: redactValue(note.settings, fingerprint) } as SessionNote)
    : note;
  if (pseudonyms === undefined || note.kind === 'shadow') return redacted;
  const nobody = redacted.kind === 'bank' ? ofNobody(redacted.settings, pseudonyms) : redacted.settings;
  const text = JSON.stringify(nobody);
  return { ...redacted, settings: JSON.parse(pseudonyms.ibansIn(text)) } as SessionNote;
}

/** A booking has the text of a statement, which may name anybody. */
function ofNobody(settings: Readonly<Record<string, unknown>>, { text }: Pseudonyms) {
  return typeof settings.text === 'string' ? { ...settings, text: text(settings.text) } : settings;
}
