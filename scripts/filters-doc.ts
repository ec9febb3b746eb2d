/** docs/filters.md: the filter language, with the fields that it knows. */
import { FILTER_FIELDS } from '../src/store/index.js';
import { code, page, table } from './docs.js';

export function filtersDoc(): string {
  return page(
    'Filters',
    'A filter selects exchanges: in `sandgate sessions show`, `sessions export` and `tail` with `--where`, in `sandgate rerun` ' +
      'with `--only`, and in the search of the live page.',
    '```text\nstatus>=400 operation:accounts.* -rule:oauth/*\ntpp:PSDBE-* source:rule,gateway ms>250\n' +
      'at>=2026-06-15T10 at<2026-06-15T11\n(status:429 OR rule:accounts/*) "wrong IBAN"\n```',
    '## Terms',
    table(
      ['Written', 'Means'],
      [
        ['`word`, `"two words"`', 'the exchange contains the text (see below)'],
        [
          '`name:value`, `name=value`',
          'the field has this value, ignoring letter case; `*` is any text, commas separate alternatives',
        ],
        ['`name!=value`', 'it does not have this value'],
        ['`name>value`, `>=`, `<`, `<=`', 'compares numbers or times'],
        ['`name:"two words"`', 'a value with spaces; `\\"` is a quote in it, `\\\\` a backslash'],
        ['`a b`, `a AND b`', 'both hold'],
        ['`a OR b`', 'at least one holds'],
        ['`-a`, `NOT a`', 'it does not hold'],
        ['`( … )`', 'groups terms'],
      ],
    ),
    '`-` and `NOT` bind most, then `AND`, then `OR`: `a b OR -c d` is `(a b) OR ((-c) d)`. Write the three words in ' +
      'capitals; in quotes they are text. In parentheses, a value or word ends at the first `)` that it has not opened itself.',
    'An exchange without a value in a field (no answer, no finding) does not match a term of it, but matches its opposite. ' +
      'A filter has at most 1,000 characters; an empty one matches everything.',
    '## Text',
    'A text is searched, ignoring letter case, in method, target (path and query as they came), values of headers, bodies ' +
      'of request and answer, and findings: rule, place, expected and found. It is searched as stored: redacted, in JSON with ' +
      'its escapes, and only in bodies that are text. `*` in it is any text. Put a word that looks like a term ' +
      '(`https://…`, `a=b`) in quotes.',
    '## Fields',
    table(
      ['Field', 'Holds', 'For example'],
      FILTER_FIELDS.map(([name, meaning, example]) => [code(name), meaning, code(example)]),
    ),
    'Unknown `operation` and `tpp` are `none`. `status` and `ms` need numbers (or `status:4*`), `at` and `recorded` a time in UTC or its ' +
      'beginning; after `:` and `=`, these need a `*` (`at:2026-06-15*`). Anything else is an error that names the place.',
  );
}
