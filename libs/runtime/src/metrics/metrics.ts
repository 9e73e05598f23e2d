import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Injection token of the process's {@link Metrics}. */
export const METRICS = Symbol('METRICS');

export interface MetricDefinition<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

/** The process's own registry. Asking twice for one name gives the same metric, so two modules may share it. */
export class Metrics {
  readonly registry = new Registry();

  /** Adds memory, event loop and garbage collection figures of this process. */
  collectProcess(): this {
    collectDefaultMetrics({ register: this.registry });
    return this;
  }

  counter<Label extends string = never>(definition: MetricDefinition<Label>): Counter<Label> {
    const known = this.registry.getSingleMetric(definition.name);
    return known instanceof Counter ? known : new Counter(this.options(definition));
  }

  gauge<Label extends string = never>(definition: MetricDefinition<Label>): Gauge<Label> {
    const known = this.registry.getSingleMetric(definition.name);
    return known instanceof Gauge ? known : new Gauge(this.options(definition));
  }

  histogram<Label extends string = never>(
    definition: MetricDefinition<Label> & { readonly buckets: readonly number[] },
  ): Histogram<Label> {
    const known = this.registry.getSingleMetric(definition.name);
    if (known instanceof Histogram) return known;
    return new Histogram({ ...this.options(definition), buckets: [...definition.buckets] });
  }

  /** Everything in Prometheus text format. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  private options<Label extends string>({ name, help, labels = [] }: MetricDefinition<Label>) {
    return { name, help, labelNames: [...labels], registers: [this.registry] };
  }
}
