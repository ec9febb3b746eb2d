/** GET /metrics. */
import type { FastifyInstance } from 'fastify';
import type { Metrics } from './create-metrics.js';

export function addMetricsRoute(server: FastifyInstance, { render, contentType }: Metrics): void {
  server.get('/metrics', async (_request, reply) => {
    reply.type(contentType);
    return render();
  });
}
