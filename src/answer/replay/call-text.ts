/** A call as one text. Calls with equal texts have equal fields, so a repeated call is taken apart only once. */
import type { Call } from '../../exchange/index.js';
import type { MatchPlan } from './match-plan.js';

const LONGEST = 4_000;
/** What no header can hold. */
const ABSENT = '\0';

/** null: too long to be remembered. No part but the last can hold a line break. */
export function callText(call: Call, plan: MatchPlan, group: string, certificate: string): string | null {
  const { request, header, listener } = call;
  const { body, target } = request;
  if (target.length > LONGEST || (body !== null && body.text.length > LONGEST)) return null;
  let text = `${group}\n${listener}\n${certificate}\n${target}\n${header['content-type'] ?? ABSENT}\n`;
  for (const [name] of plan.headers) text += `${header[name] ?? ABSENT}\n`;
  if (body === null) return text;
  return `${text}${body.base64 === true}\n${body.truncated === true}\n${body.text}`;
}
