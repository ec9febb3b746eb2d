/** Draws the calls of a cell between application and bank, with what was injected, as an SVG and as a list for who reads with help. */
import { type Html, html } from '../answer/index.js';
import type { ShownCall } from './result.js';

const [LEFT, RIGHT, WIDTH, HEIGHT, TOP] = [50, 370, 420, 34, 26] as const;
/** More are left out of the drawing, not of the list. */
const MOST = 24;
/** So many are drawn before the first that was injected. */
const BEFORE = 2;

export function journeyOf(calls: readonly ShownCall[]): Html {
  const first = calls.findIndex(({ injected }) => injected !== '');
  const from = first < 0 ? calls.length - MOST : first - BEFORE;
  const drawn = calls.slice(Math.max(0, from)).slice(0, MOST);
  const left = calls.length - drawn.length;
  const height = TOP + drawn.length * HEIGHT + 8;
  return html`<figure><svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${calls.length} calls between application and bank; the list below has them">
<g class="lane"><path d="M${LEFT} ${TOP - 8}V${height}M${RIGHT} ${TOP - 8}V${height}"/></g>
<text class="dim" x="${LEFT}" y="12" text-anchor="middle">application</text><text class="dim" x="${RIGHT}" y="12" text-anchor="middle">bank</text>
${drawn.map((call, place) => callOf(call, TOP + place * HEIGHT + 12))}</svg>
<figcaption><details><summary>${calls.length} calls${left > 0 && `, ${drawn.length} of them drawn`}</summary><ol class="mono">${calls.map(
    ({ id, from, call, status, injected }) =>
      html`<li>${id} ${from}: ${call} → ${status ?? 'no answer'}${injected !== '' && ` (injected: ${injected})`}</li>\n`,
  )}</ol></details></figcaption></figure>`;
}

/** From left to right, but for what the bank sends by itself; a PSU's call is drawn lighter. */
function callOf({ from, call, status, injected }: ShownCall, y: number): Html {
  const kind = injected === '' ? (from === 'psu' ? 'psu' : '') : 'injected';
  const [start, end] = from === 'bank' ? [RIGHT, LEFT] : [LEFT, RIGHT];
  const tip = from === 'bank' ? 5 : -5;
  const answer = status === null ? 'no answer' : String(status);
  return html`<g class="${kind}"><path d="M${start} ${y}H${end}M${end + tip} ${y - 3}L${end} ${y}L${end + tip} ${y + 3}"/><text x="${LEFT + 8}" y="${y - 4}">${shortened(call)}</text><text class="dim" x="${RIGHT - 8}" y="${y + 11}" text-anchor="end">${answer}${injected !== '' && ' (injected)'}</text></g>
`;
}

const LONGEST = 46;
const shortened = (call: string): string => {
  const plain = call.replace(/\/[^ ]*\/v1\//, '/');
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST - 1)}…` : plain;
};
