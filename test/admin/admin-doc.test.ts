/** docs/admin.md and docs/admin-api.md list everything on the admin listener, no more and no less. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/admin/api/routes.js';
import { createMetrics, createTally } from '../../src/admin/index.js';
import { anExchange } from '../builders.js';

const page = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), 'utf8');
const doc = page('admin.md');
/** A gateway's metrics when each of them has a sample. */
async function metricsText(): Promise<string> {
  const told = createTally();
  told.add('traces', 'sent');
  const metrics = createMetrics({
    waiting: () => 0,
    isRecording: () => true,
    diskFree: () => 0,
    told,
  });
  metrics.ofCertificates(() => [{ use: 'server', subject: 'CN=localhost', days: 30 }]);
  const exchange = anExchange({ call: { operation: 'accounts.list' }, answer: { status: 200 } });
  metrics.observe({ ...exchange, fault: { kind: 'refused', message: 'refused' } }, [
    {
      rule: 'requests/request-id-present',
      severity: 'must',
      judges: 'tpp',
      place: 'header X-Request-ID',
      expected: 'a UUID',
    },
  ]);
  metrics.judgedAnew(exchange.call);
  metrics.ocspAnswered('good');
  const text = await metrics.render();
  metrics.close();
  return text;
}

/** `| name | type | labels | meaning |` of each metric, out of what Prometheus would read. */
async function metricRows(): Promise<string[]> {
  const text = await metricsText();
  const rows: string[] = [];
  for (const [, name, help] of text.matchAll(/^# HELP (\S+) (.*)$/gm)) {
    const type = new RegExp(`^# TYPE ${name} (\\w+)$`, 'm').exec(text)?.[1];
    const sample = new RegExp(`^${name}(?:_sum)?(?:\\{(.*)\\})? `, 'm').exec(text);
    expect(sample, `${name} has a sample`).not.toBeNull();
    const labels = [...(sample?.[1] ?? '').matchAll(/(\w+)="/g)].map(([, label]) => `\`${label}\``);
    rows.push(`| \`${name}\` | ${type} | ${labels.join(', ')} | ${help} |`);
  }
  return rows;
}

const ADMIN = fileURLToPath(new URL('../../src/admin', import.meta.url));

const SERVER_ROUTE = /\bserver\.(\w+)\(\s*'(\/[^'*]*)'/g;

/** As the code registers them, beside those of the API. */
function routes(): string[] {
  const plain = readdirSync(ADMIN, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(join(ADMIN, file), 'utf8').matchAll(SERVER_ROUTE)])
    .map(([, method, path]) => `${method?.toUpperCase()} ${path}`);
  return [...plain, ...ROUTES.map(({ method, path }) => `${method} ${path}`)];
}

describe('docs/admin.md', () => {
  it('has each metric with its type, its labels and its meaning', async () => {
    const listed = doc.split('\n').filter((line) => /^\| `(?:sandgate|process|nodejs)_/.test(line));
    expect(listed).toEqual(await metricRows());
  });

  it('has each route of the listener', () => {
    const named = new Set(
      [...(doc + page('admin-api.md')).matchAll(/`((?:GET|PUT|POST|DELETE) \/\S*)`/g)].map(
        ([, route]) => route,
      ),
    );
    expect([...named].sort()).toEqual(routes().sort());
  });
});
