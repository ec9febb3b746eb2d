/** The routes of the dashboard. Its pages, and the parts of reports that they draw, are loaded by whoever looks first. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Page, Query } from './pages.js';
import type { DashboardParts } from './port.js';

export function addDashboardRoutes(server: FastifyInstance, parts: DashboardParts): void {
  server.get('/', async (_request, reply) => {
    const { overview } = await import('./pages.js');
    return send(reply, await overview(parts));
  });
  server.get('/exchanges', async ({ query }, reply) => {
    const { exchangeList } = await import('./pages.js');
    return send(reply, await exchangeList(parts, query as Query));
  });
  server.get('/exchanges/:id', async ({ params }, reply) => {
    const { oneExchange } = await import('./pages.js');
    return send(reply, await oneExchange(parts, (params as { id: string }).id));
  });
}

async function send(reply: FastifyReply, { status, html }: Page): Promise<FastifyReply> {
  const { PAGE_HEADERS } = await import('./layout.js');
  return reply.code(status).headers(PAGE_HEADERS).send(html);
}
