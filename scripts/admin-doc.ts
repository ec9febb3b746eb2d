/** docs/admin-api.md and docs/access-log.md. */
import { ROUTES } from '../src/admin/api/routes.js';
import { brief } from '../src/admin/exchanges/index.js';
import { code, page, table } from './docs.js';

export function adminApiDoc(): string {
  return page(
    'Admin API',
    'Every call of the [admin listener](admin.md#api) under `/api/`. Requests and answers are JSON, unless the table says ' +
      'otherwise; `/api/openapi.json` describes them.',
    table(
      ['Call', 'What it does'],
      ROUTES.map(({ method, path, says }) => [code(`${method} ${path}`), says]),
    ),
  );
}

export function accessLogDoc(): string {
  const fields = Object.entries(brief.shape).map(([name, field]) => [code(name), field.description ?? '']);
  return page(
    'Access log',
    'The fields of a line of the [access log](sessions.md#the-access-log), a JSON object for each exchange.',
    table(['Field', 'Meaning'], [...fields, [code('report'), 'Address of its page; null if unknown.']]),
  );
}
