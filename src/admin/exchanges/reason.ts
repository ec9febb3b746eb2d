/** Why an exchange stands out: its gravest finding, what failed, or what a refusal says. */
import { type Answer, memberOf } from '../../exchange/index.js';
import { GRAVITY } from '../../rules/index.js';
import type { RecordedExchange } from '../../store/index.js';
import { shortFormOf } from './sentence.js';

type Findings = RecordedExchange['findings'];

/** Findings that are waived do not count. */
export function gravestOf(findings: Findings): Findings[number] | undefined {
  let gravest: Findings[number] | undefined;
  for (const one of findings)
    if (
      one.waived === undefined &&
      (gravest === undefined || GRAVITY[one.severity] < GRAVITY[gravest.severity])
    )
      gravest = one;
  return gravest;
}

/** In characters: a bank may send a novel. */
const LONGEST = 400;
const NAMES = ['text', 'error_description', 'detail', 'title'] as const;

/** null where the answer is no refusal or says nothing, and where what the TPP has to send explains it: a must. */
export function refusalOf({ exchange: { answer }, findings }: RecordedExchange): string | null {
  if (answer === null || gravestOf(findings)?.severity === 'must') return null;
  const text = textOf(answer);
  if (text === undefined) return null;
  const said = `${answer.source === 'gateway' ? 'The gateway' : 'The bank'} answered ${answer.status}: ${text}`;
  return /[.!?…]$/.test(said) ? said : `${said}.`;
}

/** Why an exchange stands out, in the few words of a row; null where nothing is wrong with it. */
export function reasonOf(
  { exchange: { answer, fault }, findings }: RecordedExchange,
  gravest = gravestOf(findings),
): string | null {
  const said = answer === null ? undefined : textOf(answer);
  // A note does not explain a refusal.
  if (gravest !== undefined && (gravest.severity !== 'note' || said === undefined))
    return shortFormOf(gravest);
  return fault?.message ?? said ?? null;
}

/** The reason that a refusal gives; a rule's refusal says what its finding does. */
function textOf({ source, status, content, body }: Answer): string | undefined {
  if (status < 400 || source === 'rule') return undefined;
  if (content.kind !== 'json')
    return /<title>([^<]+?)(?: – [^<]*)?<\/title>/.exec(body?.text ?? '')?.[1]?.slice(0, LONGEST);
  const messages = memberOf(content.value, 'tppMessages');
  const first: unknown = Array.isArray(messages) ? messages[0] : content.value;
  for (const name of NAMES) {
    const text = memberOf(first, name);
    if (typeof text === 'string' && text !== '') return text.slice(0, LONGEST);
  }
  return undefined;
}
