import type { Call } from '../../exchange/index.js';
import { SCA_DATA, SCA_STEPS, type ScaStep } from '../../spec/index.js';
import { isPresent, memberAt } from '../checks/request-body.js';
import { defineRule, type Outcome, violation } from '../rule.js';

const ALL: readonly ScaStep[] = SCA_STEPS;

export default defineRule({
  id: 'requests/authorisation-data',
  statement:
    'A call that starts or continues an authorisation holds the data of one step that the bank takes: PSU-ID, a password, the method, the code, or the confirmation code',
  sources: ['BG'],
  appliesTo: ({ creates, method }) => creates === 'authorisation' || method === 'PUT',
  isAsked: ({ dialect }) => dialect.profile !== undefined,
  refusal: { code: 'FORMAT_ERROR' },
  why: 'The bank cannot tell which step of the authorisation is meant, or does not take it here.',
  fix: 'Follow the link of the last answer, and send the member that it asks for, as a text.',
  examples: {
    complies: '{"scaAuthenticationData":"123456"}',
    violates: '{"scaAuthenticationData":123456}; {"code":"123456"}; a method and a code at once',
  },
  check: ({ call, options }) => {
    const { content } = call;
    if (content.kind === 'not-observed') return content.kind;
    if (content.kind !== 'json' && content.kind !== 'none') return 'not-applicable';
    const value = content.kind === 'json' ? content.value : undefined;
    const isStart = call.request.method === 'POST';
    const taken = options.dialect.profile?.sca?.steps ?? ALL;
    return judge(call, value, isStart ? null : taken);
  },
});

/** `taken`: steps that the bank takes; null: any may begin an authorisation. */
function judge(call: Call, body: unknown, taken: readonly ScaStep[] | null): Outcome {
  const given = ALL.flatMap((step) =>
    dataIn(step)
      .filter((path) => isPresent(memberAt(body, path)))
      .map((path) => ({ step, path })),
  );
  const [first] = given;
  if (first === undefined) {
    if (taken === null || call.header['psu-id'] !== undefined) return true;
    const expected = taken.flatMap(dataOf).join(', ') || 'nothing: the bank takes no step by PUT';
    return violation('body', expected, body === undefined ? 'no body' : 'a body without any of these');
  }
  const other = given.find(({ step }) => step !== first.step);
  if (other !== undefined)
    return violation(
      `body ${other.path}`,
      `${first.path} alone: one step in a call`,
      `a member beside ${first.path}`,
    );
  const found = memberAt(body, first.path);
  if (typeof found !== 'string' || found === '')
    return violation(
      `body ${first.path}`,
      'a text that is not empty',
      found === '' ? 'an empty string' : `a ${typeof found}`,
    );
  if (taken === null || taken.includes(first.step)) return true;
  return violation(
    `body ${first.path}`,
    `what the bank takes by PUT: ${taken.join(', ') || 'nothing'}`,
    first.step,
  );
}

const dataIn = (step: ScaStep): readonly string[] => SCA_DATA[step];

const dataOf = (step: ScaStep): readonly string[] =>
  step === 'identification' ? ['the header PSU-ID'] : dataIn(step);
