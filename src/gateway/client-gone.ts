/** Tells that the client of a call is gone. */
import type { ClientListener, ClientSignal } from '../answer/index.js';

const NOBODY: readonly ClientListener[] = [];

/**
 * An AbortSignal does the same, costs more than all else of a call's opening, and
 * outlives young collections with all that its call holds: one was made for each call to a bank that takes its time.
 */
export class ClientGone implements ClientSignal {
  aborted = false;
  #listeners: readonly ClientListener[] = NOBODY;

  addEventListener(_: 'abort', listener: ClientListener): void {
    this.#listeners = [...this.#listeners, listener];
  }

  removeEventListener(_: 'abort', listener: ClientListener): void {
    this.#listeners = this.#listeners.filter((one) => one !== listener);
  }

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    const told = this.#listeners;
    this.#listeners = NOBODY;
    for (const one of told) typeof one === 'function' ? one() : one.handleEvent();
  }
}
