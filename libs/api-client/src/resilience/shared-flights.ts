interface Flight<T> {
  members: number;
  deadlineAt: number;
  readonly controller: AbortController;
  readonly done: Promise<T>;
}

/** Lets identical requests share one answer. Each caller keeps its own deadline; the last to leave ends the request. */
export class SharedFlights<T> {
  readonly #flights = new Map<string, Flight<T>>();

  /** `signal` is aborted when this caller leaves; `start` is told until when anybody would wait. */
  join(
    key: string,
    signal: AbortSignal,
    deadlineAt: number,
    start: (signal: AbortSignal, deadlineAt: () => number) => Promise<T>,
  ): Promise<T> {
    const flight = this.#flights.get(key) ?? this.#begin(key, start);
    flight.members += 1;
    flight.deadlineAt = Math.max(flight.deadlineAt, deadlineAt);
    const leave = (): void => {
      flight.members -= 1;
      if (flight.members > 0) return;
      this.#forget(key, flight);
      flight.controller.abort(signal.reason);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    return flight.done;
  }

  #begin(
    key: string,
    start: (signal: AbortSignal, deadlineAt: () => number) => Promise<T>,
  ): Flight<T> {
    const controller = new AbortController();
    const flight: Flight<T> = {
      members: 0,
      deadlineAt: 0,
      controller,
      // In a microtask, so that the first caller's deadline is there to be read.
      done: Promise.resolve()
        .then(() => start(controller.signal, () => flight.deadlineAt))
        .finally(() => {
          this.#forget(key, flight);
        }),
    };
    flight.done.catch(() => undefined);
    this.#flights.set(key, flight);
    return flight;
  }

  #forget(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
