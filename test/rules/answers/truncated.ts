/** An exchange whose answer the recording cut short. */
import { closeCall, type Exchange, openAnswer } from '../../../src/exchange/index.js';
import { aCall, type CallParts } from '../../builders.js';

export function truncated(call: CallParts, status = 200): Exchange {
  const answer = openAnswer({
    source: 'upstream',
    status,
    headers: [['Content-Type', 'application/json']],
    body: { text: '{"consentSta', size: 5_000_000, truncated: true, sha256: '00'.repeat(32) },
  });
  return closeCall(aCall(call), answer, { total: 2, answerer: 1 });
}
