import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { PROBLEMS, type ProblemType } from '../problem/problems.ts';
import help from './metrics.json' with { type: 'json' };

export type MetricName = keyof typeof help;

interface LabelledValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Prometheus metrics. They contain no IDs and addresses. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #durations: Histogram<'operation' | 'status'>;
  readonly #refusals: Counter<'reason'>;

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    // These gauges have names of counters, which Prometheus linters reject.
    for (const name of ['handles', 'requests', 'resources']) {
      this.#registry.removeSingleMetric(`nodejs_active_${name}_total`);
    }
    this.#durations = new Histogram({
      name: 'caregate_request_duration_seconds',
      help: help.caregate_request_duration_seconds,
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [this.#registry],
    });
    this.#refusals = new Counter({
      name: 'caregate_refusals_total',
      help: help.caregate_refusals_total,
      labelNames: ['reason'],
      registers: [this.#registry],
    });
    // Start every reason at 0, so that the first refusal counts as an increase.
    for (const reason of Object.keys(PROBLEMS)) {
      this.#refusals.inc({ reason }, 0);
    }
  }

  /** @param operation a name from the operation table, never text of a request */
  recordRequest(
    operation: string,
    status: number,
    seconds: number,
    refusal: ProblemType | undefined,
  ): void {
    this.#durations.observe({ operation, status }, seconds);
    if (refusal !== undefined) {
      this.#refusals.inc({ reason: refusal });
    }
  }

  addGauge(name: MetricName, read: () => number | Promise<number>): void {
    this.addGauges(name, [], async () => [{ labels: {}, value: await read() }]);
  }

  addCounter(name: MetricName, read: () => number): void {
    new Counter({
      ...{ name, help: help[name], registers: [this.#registry] },
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  addGauges(
    name: MetricName,
    labelNames: readonly string[],
    read: () => readonly LabelledValue[] | Promise<readonly LabelledValue[]>,
  ): void {
    new Gauge({
      ...{ name, help: help[name], labelNames, registers: [this.#registry] },
      async collect() {
        const values = await read();
        this.reset();
        values.forEach(({ labels, value }) => {
          this.set({ ...labels }, value);
        });
      },
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  formatText(): Promise<string> {
    return this.#registry.metrics();
  }
}
