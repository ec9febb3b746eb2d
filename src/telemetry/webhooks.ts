/** Messages to an address of the operator's, in the form of Standard Webhooks: signed, and tried again behind the way of calls. */
import { createHmac } from 'node:crypto';
import type { Timer } from '../answer/index.js';
import { readSecret } from '../files/index.js';
import { createAllowList, findAddress, systemResolve } from '../outgoing/index.js';
import { SandgateError } from '../spec/index.js';
import { createDelivery } from './delivery.js';
import type { EventData, EventType, Tell } from './event-types.js';
import { post } from './post.js';

export interface WebhooksParts {
  readonly url: URL;
  /** Hosts and ranges that may be called although they are inner ones. */
  readonly allow: readonly string[];
  /** The key of signatures; null: messages are not signed. */
  readonly key: Uint8Array | null;
  readonly on: ReadonlySet<EventType>;
  readonly clock: () => number;
  readonly timer: Timer;
  readonly uuid: () => string;
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** So many messages arrived, or did not; `why`: what kept them back. */
  readonly onEnd: (messages: number, why: string | null) => void;
}

interface Message {
  readonly id: string;
  readonly body: string;
}

/** Within it, what is alike is told at once and then counted, in ms. */
const WINDOW_MS = 900_000;
const MOST_KINDS = 500;
const MOST_WAITING = 1_000;
const PAUSES = [5_000, 15_000, 60_000, 60_000, 60_000] as const;
const TIMEOUT_MS = 10_000;
const STOP_MS = 2_000;

interface Alike {
  readonly type: EventType;
  readonly data: EventData;
  /** Counts those that came since the last message. */
  more: number;
  cancel: () => void;
}

export function createWebhooks(parts: WebhooksParts) {
  const { url, key, on, clock, timer, uuid, onEnd, resolve = systemResolve } = parts;
  const { addressAllowed } = createAllowList(['*', ...parts.allow], '--webhook-allow');
  const kinds = new Map<string, Alike>();
  const delivery = createDelivery<Message>({
    send: async ({ id, body }, signal) => {
      const found = await findAddress(url, resolve, addressAllowed, signal);
      if ('fault' in found) throw new Error(found.fault.message);
      const at = String(Math.floor(clock() / 1_000));
      const signature = key === null ? {} : { 'webhook-signature': signed(key, `${id}.${at}.${body}`) };
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': at,
        ...signature,
      };
      return post(url, { headers, body, address: found.address }, signal);
    },
    ...{ timer, pauses: PAUSES, timeout: TIMEOUT_MS, weightOf: () => 1, most: MOST_WAITING },
    onEnd: (_, why) => onEnd(1, why),
  });

  const send = (type: EventType, data: EventData, count: number): void => {
    const timestamp = new Date(clock()).toISOString();
    delivery.add({
      id: `msg_${uuid()}`,
      body: JSON.stringify({ type, timestamp, data: { ...data, count } }),
    });
  };
  const open = (about: string, alike: Alike): void => {
    alike.cancel = timer.after(WINDOW_MS, () => {
      if (alike.more === 0) {
        kinds.delete(about);
        return;
      }
      send(alike.type, alike.data, alike.more);
      alike.more = 0;
      open(about, alike);
    });
  };

  const tell: Tell = (type, about, data) => {
    if (!on.has(type)) return;
    const kind = `${type} ${about}`;
    const known = kinds.get(kind);
    if (known !== undefined) {
      known.more += 1;
      return;
    }
    if (kinds.size >= MOST_KINDS) {
      onEnd(1, 'too many different events in a quarter of an hour');
      return;
    }
    const alike = { type, data, more: 0, cancel: () => {} };
    kinds.set(kind, alike);
    send(type, data, 1);
    open(kind, alike);
  };

  return {
    tell,
    /** Tells what was only counted until now, within a bound of time. */
    close: async (): Promise<void> => {
      for (const { type, data, more, cancel } of kinds.values()) {
        cancel();
        if (more > 0) send(type, data, more);
      }
      kinds.clear();
      await delivery.close(STOP_MS);
    },
  };
}

const signed = (key: Uint8Array, text: string): string =>
  `v1,${createHmac('sha256', key).update(text).digest('base64')}`;

const LEAST_KEY_BYTES = 24;
const PREFIX = 'whsec_';

/** `whsec_` and the key in base64. @throws SandgateError where others may read it, or it is no key */
export function readWebhookKey(file: string): Uint8Array {
  const text = readSecret(file).toString('utf8').trim();
  const key = Buffer.from(text.slice(PREFIX.length), 'base64');
  if (
    !text.startsWith(PREFIX) ||
    key.length < LEAST_KEY_BYTES ||
    key.toString('base64') !== text.slice(PREFIX.length)
  )
    throw new SandgateError('config.webhook-secret', { file });
  return key;
}
