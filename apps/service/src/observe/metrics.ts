import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { registerServiceGauges, type Gauged } from './service-gauges.ts';

/** Prometheus metrics of requests, the audit log, the disk and the process. Without ids and addresses. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #durations: Histogram<'operation' | 'status'>;

  constructor(gauged: Gauged) {
    collectDefaultMetrics({ register: this.#registry });
    registerServiceGauges(this.#registry, gauged);
    this.#durations = new Histogram({
      name: 'caregate_request_duration_seconds',
      help: 'Time from receiving the request headers to the end of the response',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [this.#registry],
    });
  }

  /** @param operation one of our own names, never text of a request */
  requestDone(operation: string, status: number, seconds: number): void {
    this.#durations.observe({ operation, status }, seconds);
  }

  /** A value that is read when the metrics are. */
  gauge(name: string, help: string, read: () => number): void {
    const registers = [this.#registry];
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
