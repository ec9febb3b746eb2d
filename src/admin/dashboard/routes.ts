/** The routes of the dashboard. Its pages, and the parts of reports that they draw, are loaded by whoever looks first. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { addPageFiles } from '../page/files.js';
import type { Page, Query } from './pages.js';
import type { DashboardParts } from './port.js';

/** Views that only the live page has, as the browser's title names them. */
const LIVE_ONLY = {
  '/bank': 'Bank',
  '/rules': 'Rules',
  '/certificates': 'Certificates',
  '/sessions': 'Sessions',
  '/settings': 'Settings',
  '/report': 'Report',
} as const;

export function addDashboardRoutes(server: FastifyInstance, parts: DashboardParts): void {
  const { live } = parts;
  const send = async (reply: FastifyReply, { status, html }: Page): Promise<FastifyReply> => {
    const { pageHeaders } = await import('./layout.js');
    const about = (await live?.files()) ? (live?.about() ?? null) : null;
    return reply
      .code(status)
      .headers(pageHeaders(about !== null))
      .send(html(about));
  };
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
  if (live === null) return;
  addPageFiles(server, live.files);
  for (const [path, title] of Object.entries(LIVE_ONLY))
    server.get(path, async (_request, reply) => {
      const { liveOnly } = await import('./pages.js');
      return send(reply, liveOnly(title));
    });
}
