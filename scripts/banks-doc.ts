/** docs/banks.md: the bank profiles that come with the program. */

import { bankProfileNames } from '../src/app/built.js';
import { readBankProfile } from '../src/app/config/index.js';
import type { BankProfile } from '../src/spec/index.js';
import { code, page, table } from './docs.js';

export function banksDoc(): string {
  const profiles = bankProfileNames().flatMap((name) => readBankProfile(name) ?? []);
  return page(
    'Banks',
    'Sandgate speaks the built-in interface of the specification (`sandgate`, the default). With `--bank-profile NAME` it judges ' +
      'and emulates the dialect of another bank. These profiles come with it. They hold facts of public material, with the day ' +
      'on which it was read; a bank may have changed since. Where all is known from one source, the table says so.',
    table(
      ['Name', 'Bank', 'Standard', 'SCA', 'Signature', 'Paths', 'Read on', 'Known from one source alone'],
      profiles.map(rowOf),
    ),
    ...profiles.flatMap(sectionOf),
  );
}

const rowOf = ({ name, title, standard, sca, headers, paths, date, only }: BankProfile): string[] => [
  `[${code(name)}](#${name})`,
  title,
  standard,
  [sca?.approaches?.join(', ') ?? 'oauth', ...(sca?.oauth === 'before' ? ['OAuth first'] : [])].join('; '),
  headers?.signature ?? 'none',
  code(`${paths?.base ?? '/{segment}'}/${paths?.version ?? 'v1'}`),
  date ?? '',
  only === undefined ? '' : 'yes',
];

function sectionOf({ name, title, sources, only, rules = {}, deviations = [] }: BankProfile): string[] {
  return [
    `## ${name}`,
    `${title}.${only === undefined ? '' : ` ${only}`}`,
    table(
      ['Source', 'Tells'],
      sources.map(({ where, tells }) => [where, tells]),
    ),
    ...(deviations.length === 0
      ? []
      : [
          table(
            ['Where it leaves the standard', 'Rule', 'Sample'],
            deviations.map(({ says, rule, sample }) => [says, code(rule), code(sample)]),
          ),
        ]),
    ...Object.entries(rules).map(([rule, { severity, reason }]) => `${code(rule)} is ${severity}: ${reason}`),
  ];
}
