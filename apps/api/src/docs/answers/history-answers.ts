import { z } from 'zod';
import { answer, count, moment } from './answer-schema.js';
import { failure } from './execution-answers.js';

/** A fact of the event log. */
export const event = answer(
  'ExecutionEvent',
  z.object({
    seq: count,
    type: z.string(),
    at: moment,
    nodeId: z.string().optional(),
    attempt: count.optional(),
    executor: z.string().optional(),
    data: z.record(z.string(), z.unknown()),
  }),
);

/** `charged` is null while it runs. */
export const attempt = answer(
  'Attempt',
  z.object({
    nodeId: z.string(),
    node: z.string(),
    attempt: count,
    number: count,
    charged: z.boolean().nullable(),
    executor: z.string().nullable(),
    startedAt: moment,
    finishedAt: moment.nullable(),
    outcome: z.string().nullable(),
    error: failure.nullable(),
  }),
);

export const logLine = answer(
  'LogLine',
  z.object({
    n: count,
    at: moment,
    level: z.string(),
    nodeId: z.string().nullable(),
    attempt: count,
    message: z.string(),
    fields: z.record(z.string(), z.unknown()),
  }),
);

export const notice = answer(
  'Notice',
  z.object({
    id: z.string(),
    on: z.string(),
    round: count,
    url: z.string().nullable(),
    state: z.string(),
    attempts: count,
    at: moment,
    dueAt: moment.nullable(),
    finishedAt: moment.nullable(),
    error: failure.nullable(),
  }),
);
