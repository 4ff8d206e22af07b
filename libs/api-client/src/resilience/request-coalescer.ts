interface SharedRequest<T> {
  members: number;
  deadlineAt: number;
  readonly controller: AbortController;
  readonly done: Promise<T>;
}

/** Coalesces identical requests. Each caller keeps its own deadline; the request is aborted when the last caller leaves. */
export class RequestCoalescer<T> {
  readonly #inFlight = new Map<string, SharedRequest<T>>();

  /** `signal` is aborted when this caller leaves; `start` gets the latest deadline of all callers. */
  join(
    key: string,
    signal: AbortSignal,
    deadlineAt: number,
    start: (signal: AbortSignal, deadlineAt: () => number) => Promise<T>,
  ): Promise<T> {
    const shared = this.#inFlight.get(key) ?? this.#begin(key, start);
    shared.members += 1;
    shared.deadlineAt = Math.max(shared.deadlineAt, deadlineAt);
    const leave = (): void => {
      shared.members -= 1;
      if (shared.members > 0) return;
      this.#forget(key, shared);
      shared.controller.abort(signal.reason);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    return shared.done;
  }

  #begin(
    key: string,
    start: (signal: AbortSignal, deadlineAt: () => number) => Promise<T>,
  ): SharedRequest<T> {
    const controller = new AbortController();
    const shared: SharedRequest<T> = {
      members: 0,
      deadlineAt: 0,
      controller,
      // In a microtask, so that the deadline of the first caller is set.
      done: Promise.resolve()
        .then(() => start(controller.signal, () => shared.deadlineAt))
        .finally(() => {
          this.#forget(key, shared);
        }),
    };
    shared.done.catch(() => undefined);
    this.#inFlight.set(key, shared);
    return shared;
  }

  #forget(key: string, shared: SharedRequest<T>): void {
    if (this.#inFlight.get(key) === shared) this.#inFlight.delete(key);
  }
}
