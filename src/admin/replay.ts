/** `GET /api/replay`: which exchanges of the recording were used so far, and which calls had no answer in it. */
import type { FastifyInstance } from 'fastify';
import type { ReplayReport } from '../answer/index.js';

export interface ReplayPort {
  readonly report: () => ReplayReport;
}

/** `replay`: undefined where no recording answers. */
export function addReplayRoute(server: FastifyInstance, replay: ReplayPort | undefined): void {
  server.get('/api/replay', async (_request, reply) => {
    if (replay !== undefined) return replay.report();
    reply.code(404);
    return {
      error: 'This gateway does not replay a recording: start it with --source replay --replay SESSION|FILE.',
    };
  });
}
