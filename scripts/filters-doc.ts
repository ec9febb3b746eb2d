/** docs/filters.md: the filter language, with the fields that it knows. */
import { FILTER_FIELDS } from '../src/store/index.js';
import { code, page, table } from './docs.js';

export function filtersDoc(): string {
  return page(
    'Filters',
    'One language says which exchanges are meant: `sandgate sessions show` and `export` with `--where`, `sandgate rerun` ' +
      'with `--only`, and the search of the live page.',
    '```text\nstatus>=400 operation:accounts.* -rule:oauth/*\ntpp:PSDBE-* source:rule,gateway ms>250\n' +
      'at>=2026-06-15T10 at<2026-06-15T11\n(status:429 OR rule:accounts/*) "wrong IBAN"\n```',
    '## What can be asked',
    table(
      ['Written', 'Means'],
      [
        ['`word`, `"two words"`', 'the text is found somewhere in the exchange (see below)'],
        [
          '`name:value`, `name=value`',
          'the field is equal, ignoring letter case; `*` is any text, commas separate alternatives',
        ],
        ['`name!=value`', 'it is not'],
        ['`name>value`, `>=`, `<`, `<=`', 'compares numbers, or texts such as times'],
        ['`name:"two words"`', 'a value with blanks; `\\"` is a quote in it, `\\\\` a backslash'],
        ['`a b`, `a AND b`', 'both hold'],
        ['`a OR b`', 'one of them holds, or both'],
        ['`-a`, `NOT a`', 'it does not hold'],
        ['`( … )`', 'is taken together'],
      ],
    ),
    '`-` and `NOT` bind most, then what stands side by side, then `OR`: `a b OR -c d` is `(a b) OR ((-c) d)`. ' +
      'The three words are written in capitals; in quotes they are text, as everything is. ' +
      'In parentheses, a value or word ends at the `)` that it has not opened itself.',
    'An exchange without a value under a field (no answer, no finding) does not fit a term of it, and fits the opposite. ' +
      'A filter has at most 1,000 characters; an empty one fits everything.',
    '## Text',
    'Text is looked for, ignoring letter case, in the method, the target (path and query as they came), the values of ' +
      'headers, the bodies of request and answer, and in the findings: rule, place, what was expected and found. It is ' +
      'looked for as it is stored: redacted, in JSON with its escapes, and not in bodies that are no text. `*` in it is any ' +
      'text between. A word that looks like a term (`https://…`, `a=b`) is put in quotes.',
    '## Fields',
    table(
      ['Field', 'Holds', 'For example'],
      FILTER_FIELDS.map(([name, meaning, example]) => [code(name), meaning, code(example)]),
    ),
    '`operation` and `tpp` are `none` where they are not known. `status` and `ms` need numbers (or `status:4*`), `at` a time ' +
      'in UTC or the beginning of one; after `:` and `=`, `at` needs a `*` (`at:2026-06-15*`). Anything else, and an unknown ' +
      'operator such as `==`, is an error that names the place.',
  );
}
