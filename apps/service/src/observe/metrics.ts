import { Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** What Prometheus reads at `/metrics`: how long each operation took, and the process itself. No ids, no addresses. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #durations: Histogram<'operation' | 'status'>;

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    this.#durations = new Histogram({
      name: 'caregate_request_duration_seconds',
      help: 'Time from the headers of a request to the end of its answer',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [this.#registry],
    });
  }

  /** @param operation a name from our own tables, never anything that was sent */
  requestDone(operation: string, status: number, seconds: number): void {
    this.#durations.observe({ operation, status }, seconds);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
