import { describe, expect, it } from 'vitest';
import { createLedger } from '../../src/ledger/index.js';
import { createJudge, RULES } from '../../src/rules/index.js';
import { sealCall } from '../../src/testing/seal-call.js';
import { aCall, fingerprint, judgeOptions, REQUEST_ID } from '../builders.js';
import { factsOf } from '../certificate/made.js';
import { ASKED, BODY, EC_SEAL, EC_SEAL_KEY, SEAL, SEAL_KEY } from '../rules/signature/a-signed-call.js';

const judge = createJudge({
  rules: RULES.filter(({ id }) => id.startsWith('signature/')),
  options: { ...judgeOptions(), ...ASKED },
  fingerprint,
});
const target = '/stdgroup/v1/consents?x=1';

function verdictsOn(
  method: string,
  body: string | undefined,
  seal = SEAL,
  key = SEAL_KEY,
  covers?: string[],
) {
  const headers = { 'X-Request-ID': REQUEST_ID, 'psu-id': 'anna' };
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const by = { cert: seal.chainPem, key: pem, ...(covers === undefined ? {} : { headers: covers }) };
  const sealed = { ...headers, ...sealCall({ method, target, headers, body }, by) };
  const call = aCall({ method, target, headers: sealed, ...(body === undefined ? {} : { body }) });
  return judge.judgeCall(call.with({ seal: factsOf(seal) }), createLedger());
}

describe('a call that signs itself', () => {
  it('breaks no rule of signatures, with or without body, by a key of either kind', () => {
    const covers = ['(request-target)', 'digest', 'x-request-id', 'psu-id'];
    const all = [
      verdictsOn('POST', BODY),
      verdictsOn('POST', undefined),
      verdictsOn('POST', BODY, SEAL, SEAL_KEY, covers),
      verdictsOn('POST', BODY, EC_SEAL, EC_SEAL_KEY),
    ];
    for (const { findings, verdicts } of all) {
      expect(findings).toEqual([]);
      expect(verdicts['signature/verifies']).toBe('complied');
    }
  });
});
