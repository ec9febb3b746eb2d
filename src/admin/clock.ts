/** `GET` and `PUT /api/clock`: the time by which calls are judged and answered. */
import type { FastifyInstance } from 'fastify';
import { SandgateError } from '../spec/index.js';

export interface ClockPort {
  readonly current: () => object;
  /** Throws a SandgateError for what cannot be meant. */
  readonly change: (wanted: unknown) => object;
}

export function addClockRoutes(server: FastifyInstance, { current, change }: ClockPort): void {
  server.get('/api/clock', async () => current());
  server.put('/api/clock', async (request, reply) => {
    try {
      return change(request.body);
    } catch (error) {
      if (!(error instanceof SandgateError)) throw error;
      reply.code(400);
      return { error: error.message };
    }
  });
}
