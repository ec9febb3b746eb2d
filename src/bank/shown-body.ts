/** What statements and pages show of a payment. */
import { memberOf } from '../exchange/index.js';

const MEMBERS = [
  ...['instructedAmount', 'debtorAccount', 'creditorAccount', 'creditorName', 'creditorAgent'],
  ...['endToEndIdentification', 'remittanceInformationUnstructured', 'remittanceInformationStructured'],
  'requestedExecutionDate',
] as const;

/** No member that is shown is longer in a request that is as it should be. */
const LONGEST = 512;

/** The members of a payment's body that its bookings need, and none that is very long. */
export function shownBody(body: object): object {
  const shown: Record<string, unknown> = {};
  for (const name of MEMBERS) {
    const value = memberOf(body, name);
    if (value !== undefined && JSON.stringify(value).length <= LONGEST) shown[name] = value;
  }
  return shown;
}
