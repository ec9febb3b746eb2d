/**
 * The bank's own pages on the PSU listener: streamed unread, while the authorization request and its end are judged
 * and recorded.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerRefusal, type PsuProxy, type PsuProxyParts } from '../answer/index.js';
import type { Call, CallTime } from '../exchange/index.js';
import type { Refusal } from '../rules/index.js';
import { type Awaitable, StoreMoved } from '../store/index.js';
import type { Incoming, Outgoing } from './arrivals.js';
import { answerUnrecorded, CLIENT_GONE_FAULT } from './faults.js';
import type { Opened, StepsParts } from './opened.js';
import type { PipelineParts } from './pipeline.js';
import { addOwnHeaders, type PageOf } from './reply.js';
import { createSteps } from './steps.js';

export interface PagesParts extends Omit<PipelineParts, 'answerer'>, Pick<StepsParts, 'answerer'> {
  readonly time: () => CallTime;
  readonly showHeaders: boolean;
  readonly pageOf: PageOf;
  readonly openProxy: (on: PageEvents) => Pick<PsuProxy, 'show' | 'upgrade'>;
  /** The authorization request that a redirect to this address ends; null: none that is known. */
  readonly endedBy: (location: string) => Awaitable<Call | null>;
  /** Whether it is the bank that answers the PSU listener. */
  readonly areShown: () => boolean;
}

export type PageEvents = Pick<PsuProxyParts, 'onPage' | 'onLeave'>;

/**
 * The page that answers an authorization request is one exchange. What the PSU does on it is the bank's; the redirect that
 * ends it belongs to the same request, and is a second exchange of it, as each step of the emulator's pages is.
 */
export function createPages(parts: PagesParts) {
  const { areShown } = parts;
  const steps = createSteps(parts);
  const awaited = new Map<string, Opened>();

  function take(id: string): Opened | undefined {
    const page = awaited.get(id);
    awaited.delete(id);
    return page;
  }

  const proxy = parts.openProxy({
    onPage: async ({ call, answer, fault }) => {
      const page = take(call.id);
      if (page === undefined) return;
      const answered = { ...(answer === null ? {} : { answer }), ...(fault === null ? {} : { fault }) };
      await steps.keepSent(page, answered);
    },
    onLeave: async (location, answer) => {
      const call = await parts.endedBy(location);
      if (call === null) return;
      const opened = steps.openAgain(call, parts.time());
      steps.judge(opened);
      await steps.keepSent(opened, { answer });
    },
  });

  async function refuse(opened: Opened, refusal: Refusal): Promise<Outgoing> {
    const { call, judged } = opened;
    const answer = answerRefusal(refusal, call, 'rule');
    const keeping = steps.keep(steps.close(opened, { answer }));
    if (keeping !== null) await keeping;
    const exchange = keeping === null ? null : call.id;
    return { exchange, answer, wire: undefined, findings: judged.findings };
  }

  async function expect(opened: Opened, response: ServerResponse): Promise<void> {
    const { call } = opened;
    awaited.set(call.id, opened);
    const onClose = (): void => {
      if (take(call.id) === undefined) return;
      // The recorder has said already that it could not be kept.
      steps.keepSent(opened, { fault: CLIENT_GONE_FAULT.fault }).catch(() => {});
    };
    response.once('close', onClose);
    try {
      // It uses up nothing that others count.
      await steps.begin(opened);
    } catch (error) {
      awaited.delete(call.id);
      response.off('close', onClose);
      throw error;
    }
  }

  async function authorise(
    first: Opened,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Outgoing | null> {
    let opened = first;
    for (;;) {
      steps.judge(opened);
      const { refusal } = opened.judged;
      try {
        if (refusal !== null && parts.stance(opened.call) === 'enforce') return await refuse(opened, refusal);
        await expect(opened, response);
        break;
      } catch (error) {
        if (!(error instanceof StoreMoved)) {
          parts.onUnrecorded(opened.call.session);
          return answerUnrecorded(opened, {}, error);
        }
        opened = await steps.reopen(opened);
      }
    }
    if (parts.showHeaders) {
      const own: string[] = [];
      const { id, connection } = opened.call;
      addOwnHeaders(own, id, 'upstream', opened.judged.findings, () => parts.pageOf(id, connection.address));
      for (let i = 0; i < own.length; i += 2) response.setHeader(own[i] ?? '', own[i + 1] ?? '');
    }
    await proxy.show(request, response, opened.call);
    return null;
  }

  return {
    areShown,
    upgrade: proxy.upgrade,
    /** Shows a page, unless the rules have an answer to give. Rejects where that could not be recorded. */
    take: async (
      incoming: Omit<Incoming, 'body' | 'problem' | 'unread' | 'raw'>,
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<Outgoing | null> => {
      const { listener, method, target } = incoming;
      const path = target.split('?', 1)[0] ?? '';
      const recognition = parts.recognise(listener, method, path);
      const isAuthorize = recognition.kind === 'operation' && recognition.operation === 'oauth.authorize';
      if (isAuthorize || parts.recorder.problem() !== null) {
        const opened = await steps.open({ ...incoming, body: null });
        return steps.canRecord(opened) && isAuthorize
          ? authorise(opened, request, response)
          : answerUnrecorded(opened, {});
      }
      await proxy.show(request, response);
      return null;
    },
  };
}

export type Pages = ReturnType<typeof createPages>;
