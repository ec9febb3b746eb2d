/** `GET` and `PUT /api/settings`: bank, source, stance and profile, which can be changed while the gateway runs. */
import type { FastifyInstance } from 'fastify';
import { answer } from './answer.js';

export interface SettingsPort {
  readonly current: () => object;
  /** Throws a SandgateError for what cannot be meant. */
  readonly change: (wanted: unknown) => object | Promise<object>;
}

export function addSettingsRoutes(server: FastifyInstance, { current, change }: SettingsPort): void {
  server.get('/api/settings', async () => current());
  server.put('/api/settings', (request, reply) => answer(reply, () => change(request.body)));
}
