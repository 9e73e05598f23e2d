import type { Metrics } from '@app/runtime';

/** Counts what passes through the bus, per logical queue. */
export interface BusMetrics {
  published(queue: string, messages: number): void;
  publishFailed(queue: string, messages: number): void;
  delivered(queue: string, messages: number): void;
  handlerFailed(queue: string, messages: number): void;
  deadLettered(queue: string, reason: string): void;
}

export const busMetrics = (metrics: Metrics): BusMetrics => {
  const perQueue = (name: string, help: string) => {
    const counter = metrics.counter<'queue'>({ name, help, labels: ['queue'] });
    return (queue: string, messages: number) => counter.inc({ queue }, messages);
  };
  const deadLetters = metrics.counter<'queue' | 'reason'>({
    name: 'fanfold_bus_dead_lettered_total',
    help: 'Messages put aside because they could not be understood.',
    labels: ['queue', 'reason'],
  });
  return {
    published: perQueue('fanfold_bus_published_total', 'Messages the bus has taken.'),
    publishFailed: perQueue('fanfold_bus_publish_failed_total', 'Messages the bus did not take; sweeps repair them.'),
    delivered: perQueue('fanfold_bus_delivered_total', 'Messages handed to a handler.'),
    handlerFailed: perQueue('fanfold_bus_handler_failed_total', 'Messages whose handler threw; sweeps repair them.'),
    deadLettered: (queue, reason) => deadLetters.inc({ queue, reason }),
  };
};
