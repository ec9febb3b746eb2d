/** `/api/bank`: the living bank as its operator sees and steers it. `?session=` names the world of a session. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answer, sessionOf } from '../answer.js';
import { addOutcomeRoutes } from './outcomes.js';
import type { BankPort } from './port.js';
import { addPsuRoutes } from './psus.js';
import { addResourceRoutes } from './resources.js';
import type { AddRoute } from './route.js';
import { addSnapshotRoutes } from './snapshots.js';

/** Actions are JSON, with or without a body: what a form of another site can send is none. */
export function addBankRoutes(server: FastifyInstance, port: BankPort): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
      body === '' ? done(null) : scope.getDefaultJsonParser('error', 'error')(_request, String(body), done),
    );
    scope.addHook('onRequest', async (request, reply) => {
      if (request.method === 'GET' || request.method === 'HEAD' || isJson(request)) return;
      return reply.code(415).send({ error: 'Send it with Content-Type: application/json.' });
    });
    const add: AddRoute = (method, url, route) => {
      scope.route({
        method,
        url,
        handler: (request, reply) =>
          answer(reply, async () => route(await port.of(sessionOf(request)), request)),
      });
    };
    add('GET', '/api/bank', (bank) => bank.about());
    add('POST', '/api/bank/reset', async (bank) => {
      await bank.reset();
      return bank.about();
    });
    addPsuRoutes(add);
    addResourceRoutes(add);
    addOutcomeRoutes(add);
    addSnapshotRoutes(add);
  });
}

const isJson = ({ headers }: FastifyRequest): boolean =>
  /^application\/json(?:$|[ ;])/i.test(headers['content-type'] ?? '');
