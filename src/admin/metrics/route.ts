/** GET /metrics. */
import type { FastifyInstance } from 'fastify';
import type { Metrics } from './create-metrics.js';

/** Of Prometheus. */
const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

export function addMetricsRoute(server: FastifyInstance, { render }: Metrics): void {
  server.get('/metrics', async (_request, reply) => {
    reply.type(TEXT_FORMAT);
    return render();
  });
}
