/** The shapes of the rules about signed requests: about the signature, its digest, and its certificate. */
import type { CertificateFacts } from '../../certificate/index.js';
import { type Place, placeFrom } from '../../exchange/index.js';
import {
  type CallContext,
  type CallRule,
  defineRule,
  type Outcome,
  type Rule,
  type Violation,
} from '../rule.js';
import { type Asks, asksFor, takesDigests, takesSignatures } from './asks-for.js';
import type { SignedCall } from './signed-call.js';

type Texts = Pick<CallRule, 'id' | 'statement' | 'sources' | 'refusal' | 'why' | 'fix' | 'examples'> &
  Partial<Pick<CallRule, 'severity'>>;

interface AskedRuleParts extends Texts {
  readonly judge: (signed: SignedCall, context: CallContext, asks: Asks) => Outcome;
}

const about: CallRule['appliesTo'] = ({ requestId }) => requestId;

/** About calls of a bank that takes signatures, signed or not. */
export const signatureAskedRule = ({ judge, ...texts }: AskedRuleParts): Rule =>
  defineRule({
    ...texts,
    appliesTo: about,
    isAsked: takesSignatures,
    check(context) {
      const { signature } = asksFor(context.options);
      return signature === 'none' ? 'not-applicable' : judge(context.signed, context, signature);
    },
  });

/** About calls that are signed. */
export const signatureRule = ({ judge, ...texts }: AskedRuleParts): Rule =>
  signatureAskedRule({
    ...texts,
    judge(signed, context, asks) {
      if (signed.signature === undefined) return 'not-applicable';
      return signed.isChanged ? 'not-observed' : judge(signed, context, asks);
    },
  });

/** About calls of a bank that takes digests, or of a signature that covers one. */
export const digestRule = ({ judge, ...texts }: AskedRuleParts): Rule =>
  defineRule({
    ...texts,
    appliesTo: about,
    isAsked: takesDigests,
    check(context) {
      const { signed } = context;
      const { digest, signature } = asksFor(context.options);
      if (digest !== 'none') return judge(signed, context, digest);
      const isCovered = signature !== 'none' && signed.parameters?.covered.includes('digest') === true;
      return isCovered ? judge(signed, context, 'optional') : 'not-applicable';
    },
  });

interface SealRuleParts extends Texts {
  readonly judge: (facts: CertificateFacts, context: CallContext) => Outcome;
  /** Nobody can tell who issued the certificate of a foreign recording. */
  readonly needsTrust?: boolean;
}

/** About the certificate of a signature. */
export const sealRule = ({ judge, needsTrust = false, ...texts }: SealRuleParts): Rule =>
  signatureRule({
    ...texts,
    judge({ seal }, context) {
      if (seal === null) return 'not-applicable';
      return needsTrust && !seal.isTrustKnown ? 'not-observed' : inSeal(judge(seal.facts, context));
    },
  });

const placeInSeal = (place: Place): Place => placeFrom(place.replace(/^certificate/, 'seal'));

/** Outcomes of a rule about certificates name the certificate of the connection. */
function inSeal(outcome: Outcome): Outcome {
  if (typeof outcome !== 'object') return outcome;
  const inPlace = (one: Violation): Violation => ({ ...one, place: placeInSeal(one.place) });
  return 'place' in outcome ? inPlace(outcome) : outcome.map(inPlace);
}
