import rule from '../../../src/rules/signature/key-id-names-certificate.js';
import { factsOf } from '../../certificate/made.js';
import { testRule } from '../rule-tester.js';
import { ASKED, aSignedCall, NOT_ASKED, OPTIONAL, SEAL, type SignedParts } from './a-signed-call.js';

const asked = (parts: SignedParts = {}) => ({ sent: aSignedCall(parts), options: ASKED });

const { serialNumber, issuer } = factsOf(SEAL);

testRule(rule, {
  complies: {
    'a right call': asked({}),
    'in lower case, with zeros and the issuer in another order': asked({
      keyId: `SN=00${serialNumber.toLowerCase()},CA=C=BE, O=Test%20Trust%20Services,CN=Test Root`,
    }),
    'an issuer in quotes': asked({
      keyId: `SN=${serialNumber},CA=2.5.4.3=#0c0954657374526f6f74,CN=""`.replace(
        /CA=.*/,
        'CA=CN=\\"Test Root\\",O=\\"Test Trust Services\\",C=BE',
      ),
    }),
    'an issuer in hexadecimal': asked({
      keyId: `SN=${serialNumber},CA=2.5.4.3=#0c095465737420526f6f74,O=Test Trust Services,C=BE`,
    }),
  },
  violates: {
    'the serial number in decimal': {
      ...asked({ keyId: `SN=${BigInt(`0x${serialNumber}`)},CA=${issuer}` }),
      finds: [{ expected: `SN=${serialNumber}, the serial number in hexadecimal` }],
    },
    separators: {
      ...asked({ keyId: `SN=${serialNumber.replace(/(..)(?=.)/g, '$1:')},CA=${issuer}` }),
      finds: [{}],
    },
    'another issuer': {
      ...asked({ keyId: `SN=${serialNumber},CA=CN=Another` }),
      finds: [{ actual: 'CA=CN=Another' }],
    },
    'another certificate': { ...asked({ keyId: 'SN=01,CA=CN=Another' }), finds: [{ actual: 'SN=01' }, {}] },
    'a name of its own': {
      ...asked({ keyId: 'my key' }),
      finds: [{ expected: 'SN=serial number,CA=issuer' }],
    },
  },
  notApplicable: {
    'a bank that asks for none': {
      sent: aSignedCall({ keyId: `SN=${BigInt(`0x${serialNumber}`)},CA=${issuer}` }),
      options: NOT_ASKED,
    },
    'a call that is not signed': { sent: aSignedCall({ signature: null }), options: OPTIONAL },
  },
  notObserved: {
    'a recording in which something was taken out': {
      sent: aSignedCall({}).with({ seal: 'not-observed' }),
      options: ASKED,
    },
  },
});
