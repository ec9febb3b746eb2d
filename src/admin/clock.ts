/** `GET` and `PUT /api/clock`: the time by which calls are judged and answered; `?session=` that of a session's world. */
import type { FastifyInstance } from 'fastify';
import { answer, sessionOf } from './answer.js';

export interface ClockPort {
  /** Rejects with a SandgateError where the session has no world of its own. */
  readonly current: (session?: string) => Promise<object>;
  /** Rejects with a SandgateError for what cannot be meant, too. */
  readonly change: (wanted: unknown, session?: string) => Promise<object>;
}

export function addClockRoutes(server: FastifyInstance, { current, change }: ClockPort): void {
  server.get('/api/clock', (request, reply) => answer(reply, () => current(sessionOf(request))));
  server.put('/api/clock', (request, reply) => answer(reply, () => change(request.body, sessionOf(request))));
}
