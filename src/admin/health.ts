/** `GET /healthz`: the process is alive. `GET /readyz`: it can do its work, or why not. */
import type { FastifyInstance } from 'fastify';

export interface ReadinessCheck {
  /** `store`, `certificates`, `listeners`. */
  readonly name: string;
  /** null: fine; else one sentence on what is wrong. */
  readonly check: () => string | null;
}

export const OPEN_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

export function addHealthRoutes(server: FastifyInstance, checks: readonly ReadinessCheck[]): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const results = checks.map(({ name, check }) => {
      const problem = problemOf(check);
      return { name, ok: problem === null, ...(problem === null ? {} : { problem }) };
    });
    const ready = results.every(({ ok }) => ok);
    reply.code(ready ? 200 : 503);
    return { status: ready ? 'ready' : 'not-ready', checks: results };
  });
}

export function problemOf(check: () => string | null): string | null {
  try {
    return check();
  } catch {
    return 'The check itself failed.';
  }
}
