/** The reference pages that are written from tables: each path with the function that renders it. */
import {
  clauseRow,
  type Group,
  OPERATION_IDS,
  OUTSIDE_SOURCES,
  operationRow,
  PAYMENT_PRODUCTS,
  READING_IDS,
  readingRow,
  SANDBOX_AUTHORISATIONS,
  SANDBOX_CODES,
  SANDBOX_CONSENTS,
  SANDBOX_PAYMENTS,
  SCA_SCENARIO_IDS,
  SCA_SCENARIOS,
  type SourceTag,
} from '../src/spec/index.js';
import { accessLogDoc, adminApiDoc } from './admin-doc.js';
import { bankProfilePartsDoc } from './bank-profile-doc.js';
import { banksDoc } from './banks-doc.js';
import { configurationDoc } from './configuration-doc.js';
import { coverageDoc } from './coverage-doc.js';
import { errorsDoc } from './errors-doc.js';
import { faultsDoc } from './faults-doc.js';
import { filtersDoc } from './filters-doc.js';
import { habitsDoc } from './habits-doc.js';
import { bankProfileSchemaDoc, reportSchemaDoc } from './json-schema-doc.js';
import { collectionDoc, openApiDoc } from './openapi-doc.js';
import { rulesDoc } from './rules-doc.js';
import { schemaDoc } from './schema-doc.js';

const NOTE = '<!-- Generated from the tables in src/ by `npm run generate`. Do not edit by hand. -->';

/** A whole page: the note, a title, and its parts with a blank line between them. */
export function page(title: string, ...parts: readonly string[]): string {
  return `${[NOTE, `# ${title}`, ...parts].join('\n\n')}\n`;
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

const GROUPS: Record<Group, string> = {
  consents: 'Consents',
  oauth: 'OAuth 2.0',
  accounts: 'Accounts',
  payments: 'Payments',
  'funds-confirmations': 'Funds confirmation',
  notifications: 'Payment status notification simulation',
};

function operationsTable(group: Group): string {
  const rows = OPERATION_IDS.filter((id) => operationRow(id).group === group).map((id) => {
    const row = operationRow(id);
    return [
      code(id),
      row.method,
      code(row.path),
      row.summary,
      row.role,
      row.success.join(', '),
      row.query.map(code).join(', '),
    ];
  });
  return table(['Operation', 'Method', 'Path', 'What it does', 'Role', 'Success', 'Query'], rows);
}

function sandboxIds(): string {
  const consents = Object.entries(SANDBOX_CONSENTS).map(([id, row]) => [
    code(id),
    row.status,
    row.scope,
    row.deletable ? 'yes' : 'no',
  ]);
  const pairs = (entries: readonly (readonly [string, string])[]) =>
    entries.map(([id, text]) => [code(id), text]);
  return [
    '### Consents',
    table(['Id', 'Status', 'Scope', 'DELETE'], consents),
    '### Authorisations',
    table(['Id', 'Status'], pairs(Object.entries(SANDBOX_AUTHORISATIONS))),
    '### Token codes',
    table(['Code', 'Scope of the token'], pairs(Object.entries(SANDBOX_CODES))),
    '### Payments',
    [...SANDBOX_PAYMENTS.keys()].map(code).join(', '),
  ].join('\n\n');
}

export function endpointsDoc(): string {
  const groups = (Object.keys(GROUPS) as Group[]).flatMap((group) => [
    `## ${GROUPS[group]}`,
    operationsTable(group),
  ]);
  const scenarios = SCA_SCENARIO_IDS.map((id) => {
    const row = SCA_SCENARIOS[id];
    return [
      code(id),
      row.meaning,
      row.scaStatus,
      row.error === null ? code('code') : code(`error=${row.error}`),
    ];
  });
  const products = Object.entries(PAYMENT_PRODUCTS).map(([product, short]) => [code(product), short]);
  return page(
    'Endpoints',
    'Every operation of the interface. `{segment}` is `stdgroup` unless configured otherwise. The role is the one that ' +
      "the caller's certificate must have; `any` is one of PSP_PI, PSP_AI, PSP_IC.",
    ...groups,
    '## Payment products',
    table(['Product in the path', 'In sandbox ids'], products),
    '## SCA scenarios',
    'The third column is the `scaStatus` of an authorisation that a creation handed out. The fixed ids keep their status.',
    table(['Scenario', 'Meaning', 'Authorisation afterwards', 'At the redirect'], scenarios),
    '## Sandbox ids',
    sandboxIds(),
  );
}

/** `RFC6749 5.2` as text with a link, where an address is certain. */
export function sourceText(source: string): string {
  const [tag = '', ...place] = source.split(' ');
  const row: { readonly title: string; readonly url?: string } = OUTSIDE_SOURCES[tag as SourceTag];
  const name = row.url === undefined ? tag : `[${tag}](${row.url})`;
  return [name, ...place].join(' ');
}

export function readingsDoc(): string {
  const rows = READING_IDS.map((id) => {
    const row = readingRow(id);
    return [code(id), clauseRow(row.clause).section, row.chosen, row.why, sourceText(row.source)];
  });
  const sources = (Object.keys(OUTSIDE_SOURCES) as SourceTag[]).map((tag) => [
    sourceText(tag),
    OUTSIDE_SOURCES[tag].title,
  ]);
  return page(
    'Readings',
    'This page lists what Sandgate does if the specification says nothing or leaves a choice. The emulator answers accordingly. ' +
      'A rule that is based on a reading is only as strong as that reading.',
    table(['Reading', 'Where', 'Chosen', 'Why', 'Source'], rows),
    '## Sources',
    table(['Tag', 'Title'], sources),
  );
}

/** Every generated file, path from the root of the repository. A test holds each against the file. */
export const GENERATED: Readonly<Record<string, () => string>> = {
  'docs/endpoints.md': endpointsDoc,
  'docs/readings.md': readingsDoc,
  'docs/rules.md': rulesDoc,
  'docs/coverage.md': coverageDoc,
  'docs/configuration.md': configurationDoc,
  'docs/admin-api.md': adminApiDoc,
  'docs/access-log.md': accessLogDoc,
  'docs/bank-habits.md': habitsDoc,
  'docs/bank-profile-parts.md': bankProfilePartsDoc,
  'docs/banks.md': banksDoc,
  'docs/errors.md': errorsDoc,
  'docs/faults.md': faultsDoc,
  'docs/filters.md': filtersDoc,
  'docs/schema.md': schemaDoc,
  'docs/bank-profile.schema.json': bankProfileSchemaDoc,
  'docs/report.schema.json': reportSchemaDoc,
  'docs/openapi.json': openApiDoc,
  'docs/sandgate.postman_collection.json': collectionDoc,
};
