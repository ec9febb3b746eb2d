/** Outcomes of asking an OCSP responder, in words that follow “its OCSP responder”. */
export const OCSP_VERDICTS = {
  good: 'says that it is good',
  revoked: 'says that it is revoked',
  unknown: 'does not know it',
  'try-later': 'asks to be asked later',
  refused: 'refuses the question',
  stale: 'gave an answer that has ended',
  'not-yet': 'gave an answer that has not begun',
  'wrong-signer': 'gave an answer that neither its issuer signed nor a responder named by its issuer',
  'other-certificate': 'answered for another certificate',
  'wrong-nonce': 'answered another question, by its nonce',
  unreadable: 'answered something else than OCSP',
  'too-large': 'answered more than 64 KiB',
  unreachable: 'does not answer',
  'not-allowed': 'has an address to which nothing may be sent',
  'no-responder': 'is not named in it',
  asking: 'has not answered yet',
} as const;

export type OcspVerdict = keyof typeof OCSP_VERDICTS;
export const OCSP_VERDICT_NAMES = Object.keys(OCSP_VERDICTS) as [OcspVerdict, ...OcspVerdict[]];

/** An answer that lacks these counts all the same. */
export const OCSP_NOTES = {
  'no-nonce': 'without the nonce of the question',
  'no-next-update': 'without saying until when',
} as const;

export type OcspNote = keyof typeof OCSP_NOTES;
export const OCSP_NOTE_NAMES = Object.keys(OCSP_NOTES) as [OcspNote, ...OcspNote[]];

/** The outcome of asking, in words. */
export function ocspText(ocsp: OcspVerdict, notes: readonly OcspNote[] = []): string {
  const lacks = notes.map((note) => OCSP_NOTES[note]).join(', ');
  return `its OCSP responder ${OCSP_VERDICTS[ocsp]}${lacks === '' ? '' : `, ${lacks}`}`;
}
