/** An abort signal that is only made when somebody asks for it: it costs more than all else of a call's opening. */
export class LazySignal {
  #controller: AbortController | undefined;
  #aborted = false;

  signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }
}
