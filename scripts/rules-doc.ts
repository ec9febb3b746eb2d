/** Renders docs/rules.md: what each rule demands, on which source, and how to comply. */
import { refusalText, ruleMarkdown } from '../src/cli/rule-text.js';
import { RULES, type Rule, type Severity } from '../src/rules/index.js';
import { RULE_FAMILIES } from '../src/rules/rule.js';
import { code, page, table } from './docs.js';

type Family = (typeof RULE_FAMILIES)[number];

const FAMILIES: Record<Family, string> = {
  certificate: 'Every call but those of the PSU’s browser, which has no certificate.',
  signature:
    'Calls of the interface, but those of OAuth, to a bank that takes signed requests ([signatures.md](signatures.md)).',
  requests: 'Every call.',
  consents: 'Consents, from their creation to their end.',
  oauth: 'The authorisation by the PSU, and the tokens that come of it.',
  accounts: 'Reads of account information.',
  payments: 'Payments, from their initiation to their cancellation.',
  funds: 'Funds confirmation.',
  notifications: 'The payment status notification and its simulation.',
  answers: 'What the bank, or the emulator, answers.',
};

const severity = (value: Severity): string => (value === 'off' ? '-' : value);

function ruleRow(rule: Rule): string[] {
  return [
    `[${code(rule.id)}](#${rule.id.replace('/', '')})`,
    rule.statement,
    rule.judges,
    severity(rule.severity.sandbox),
    severity(rule.severity.production),
    rule.scope,
    refusalText(rule.refusal),
  ];
}

export function rulesDoc(): string {
  const sections = RULE_FAMILIES.flatMap((family) => {
    const rules = RULES.filter(({ id }) => id.startsWith(`${family}/`));
    return [
      `## ${family}/`,
      FAMILIES[family],
      table(['Rule', 'Statement', 'Judges', 'Sandbox', 'Production', 'Scope', 'Refusal'], rules.map(ruleRow)),
      ...rules.map(ruleMarkdown),
    ];
  });
  return page(
    'Rules',
    `${RULES.length} rules. A statement is true when the traffic complies. Severity is ${code('must')}, ` +
      `${code('should')}, ${code('note')}, or ${code('-')} if the rule does not run under a profile; you can configure it. ` +
      'In stance `enforce`, a violated `must` of the TPP is refused with the error under Refusal. ' +
      '[verifying.md](verifying.md) explains verdicts, severities and waivers.',
    ...sections,
  );
}
