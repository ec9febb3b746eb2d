/** `GET /healthz`: the process is alive. `GET /readyz`: it can do its work, or why not. */
import type { FastifyInstance } from 'fastify';
import type { Awaitable } from '../store/index.js';

export interface ReadinessCheck {
  /** `store`, `certificates`, `listeners`. */
  readonly name: string;
  /** null: fine; else one sentence on what is wrong. */
  readonly check: () => Awaitable<string | null>;
}

export const OPEN_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

export function addHealthRoutes(server: FastifyInstance, checks: readonly ReadinessCheck[]): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      checks.map(async ({ name, check }) => {
        const problem = await problemOf(check);
        return { name, ok: problem === null, ...(problem === null ? {} : { problem }) };
      }),
    );
    const ready = results.every(({ ok }) => ok);
    reply.code(ready ? 200 : 503);
    return { status: ready ? 'ready' : 'not-ready', checks: results };
  });
}

export async function problemOf(check: ReadinessCheck['check']): Promise<string | null> {
  try {
    return await check();
  } catch {
    return 'The check itself failed.';
  }
}
