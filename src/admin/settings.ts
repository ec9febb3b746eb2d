/** `GET` and `PUT /api/settings`: bank, source, stance and profile, which can be changed while the gateway runs. */
import type { FastifyInstance } from 'fastify';
import { SandgateError } from '../spec/index.js';

export interface SettingsPort {
  readonly current: () => object;
  /** Throws a SandgateError for what cannot be meant. */
  readonly change: (wanted: unknown) => object;
}

export function addSettingsRoutes(server: FastifyInstance, { current, change }: SettingsPort): void {
  server.get('/api/settings', async () => current());
  server.put('/api/settings', async (request, reply) => {
    try {
      return change(request.body);
    } catch (error) {
      if (!(error instanceof SandgateError)) throw error;
      reply.code(400);
      return { error: error.message };
    }
  });
}
