/** `/api/events`, `/api/journeys`, `/api/alerts`: what a page follows while it is open. */
import * as z from 'zod';
import { SandgateError } from '../../spec/index.js';
import { matches, parseFilter } from '../../store/index.js';
import { route } from '../api/route.js';
import { ofSession, wholeNumber } from '../api/schemas.js';
import { journey, runs } from '../journeys/chain.js';
import { showJourney, showRuns } from '../journeys/show-journey.js';
import { alert, alertsOf } from './alerts.js';
import { counts } from './session-counts.js';
import { timeline } from './session-time.js';
import { surroundingsOf } from './views.js';

/** A proxy in between must not wait for more. */
const STREAM_HEADERS = { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' };

export const LIVE_ROUTES = [
  route('GET /api/events', 'events', {
    says: 'server-sent events: `exchange` (as the list shows it), `journey`, `alert`, `counts`, `settings`; `?session=`, `?q=` a [filter](filters.md) of exchanges. `Last-Event-ID` or `?after=` continues after an exchange; above `?most=` a second, only the newest are sent, with the number left out',
    query: ofSession.extend({
      q: z.string().optional().describe('A filter.'),
      after: z.string().optional().describe('As Last-Event-ID, where no header can be sent.'),
      most: wholeNumber(100_000, 0).describe(
        'Exchanges a second; where more come, only the newest are sent, with an alert `missed` once a second until it is cleared. 0: all are sent.',
      ),
    }),
    answer: { media: 'text/event-stream' },
    handle: (events, { query, request, reply }) => {
      const { session: name, q = '', most } = query;
      const fits = matches(parseFilter(q));
      const after = [request.headers['last-event-id']].flat()[0] || query.after;
      const { raw } = reply;
      if (request.method === 'HEAD') return '';
      const sink = {
        write: (text: string) => void raw.write(text),
        waiting: () => raw.writableLength,
        end: () => void raw.end(),
        drop: () => void raw.destroy(),
      };
      const begin = () => {
        reply.hijack();
        raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...STREAM_HEADERS });
      };
      const wanted = { session: name, fits, isFiltered: q.trim() !== '', after, most };
      const end = events.open(wanted, sink, begin);
      if (end === null) throw new SandgateError('live.many-clients', {});
      raw.on('close', end);
      raw.on('error', end);
      return reply;
    },
  }),
  route('GET /api/journeys', 'views', {
    says: 'each consent and payment, the latest call first: steps, next step, daily limit, and where it failed',
    query: ofSession,
    answer: z.array(journey),
    handle: async (views, { query: { session: name = views.port.session() } }) => {
      const { journeys } = await views.of(name);
      const around = surroundingsOf(views, name);
      return [...journeys.all()].map((journey) => showJourney(journey, around)).reverse();
    },
  }),
  route('GET /api/journeys/:id', 'views', {
    says: 'the calls of one journey, the oldest first; those that came to the same one after the other are one run',
    query: ofSession,
    answer: runs,
    handle: async (views, { params: { id = '' }, query: { session: name = views.port.session() } }) => {
      const found = (await views.of(name)).journeys.byId(id);
      if (found === undefined) throw new SandgateError('live.no-journey', { id: id.slice(0, 100) });
      return showRuns(found);
    },
  }),
  route('GET /api/alerts', 'views', {
    says: 'alerts with their remedies: unfinished calls to the bank, failed handshakes, a limit nearly used, a certificate about to expire, the bank down, the store failing',
    query: ofSession,
    answer: z.array(alert),
    handle: async (views, { query: { session: name = views.port.session() } }) =>
      alertsOf(name, await views.of(name), views.port),
  }),
  route('GET /api/counts', 'views', {
    says: 'how many exchanges a session has, and how many of them stand out: by severity, failed, failed handshakes, with an injected fault, unfinished; each with the filter that finds them',
    query: ofSession,
    answer: counts,
    handle: async (views, { query: { session: name = views.port.session() } }) =>
      (await views.of(name)).counts(name, views.port),
  }),
  route('GET /api/time', 'views', {
    says: 'what a session met when, by the clock of the machine: calls, findings and the bank’s times in at most 300 slots, and marks, moves of the clock and changes of the faults',
    query: ofSession,
    answer: timeline,
    handle: async (views, { query: { session: name = views.port.session() } }) =>
      (await views.of(name)).timeline(name, views.port),
  }),
];
