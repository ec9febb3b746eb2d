/** What the head of every format says of the settings that a recording was judged by. */
import { counted } from '../../spec/index.js';
import type { Report } from '../model.js';

type Head = Report['head'];

/** `requests/psu-ip-address-valid on path /stdgroup/*, until 2027-01-31: “fixed with release 4” (3 findings)` */
export function waiverLine({
  rule,
  operation,
  tpp,
  path,
  until,
  reason,
  used,
}: Head['waivers'][number]): string {
  const match = [
    ...(operation === null ? [] : [`operation ${operation}`]),
    ...(tpp === null ? [] : [`TPP ${tpp}`]),
    ...(path === null ? [] : [`path ${path}`]),
  ].join(', ');
  return `${rule}${match === '' ? '' : ` on ${match}`}, until ${until}: “${reason}” (${counted(used, 'finding')})`;
}

export const waiverLines = ({ waivers }: Head): string[] => waivers.map(waiverLine);

/** `sandbox, then production` */
export const profilesText = ({ profile }: Head): string =>
  (profile.periods ?? [profile.judged]).join(', then ');
