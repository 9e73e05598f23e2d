import { z } from 'zod';
import { answer, count, labels, moment, payload } from './answer-schema.js';
import { failure, nodeType } from './execution-answers.js';

export const plan = answer(
  'Plan',
  z.object({
    nodes: z.array(z.object({ id: z.string(), type: nodeType, rank: count, inDegree: count, criticalPath: count })),
    edges: z.array(z.object({ from: z.string(), to: z.string() })),
    criticalPath: z.array(z.string()),
  }),
);

export const published = answer(
  'PublishedPipeline',
  z.object({ name: z.string(), version: count, createdAt: moment, plan }),
);

const pipelineFacts = {
  name: z.string(),
  version: count,
  enabled: z.boolean(),
  createdAt: moment,
  publishedAt: moment,
};
export const pipelineRow = answer('PipelineRow', z.object(pipelineFacts));
const definitionAndPlan = { definition: payload, plan: plan.nullable() };
export const pipeline = answer('Pipeline', z.object({ ...pipelineFacts, ...definitionAndPlan }));
export const versionRow = answer(
  'PipelineVersionRow',
  z.object({ name: z.string(), version: count, createdAt: moment }),
);
export const version = answer('PipelineVersion', versionRow.extend(definitionAndPlan));

export const dataset = answer(
  'Dataset',
  z.object({
    id: z.string(),
    name: z.string(),
    format: z.enum(['csv', 'ndjson', 'json']),
    columns: z.array(z.string()).nullable(),
    separator: z.string().optional(),
    itemCount: count,
    bytes: count,
    sha256: z.string(),
    createdAt: moment,
  }),
);

export const destination = answer(
  'Destination',
  z.object({
    name: z.string(),
    match: z.object({ host: z.string() }).nullable(),
    maxConcurrency: count.nullable(),
    rate: z.object({ limit: count, per: z.enum(['1s', '1m', '1h']), burst: count.optional() }).nullable(),
    adaptive: z.boolean(),
    implicit: z.boolean(),
    inUse: count,
    waiting: count,
    limit: count.nullable(),
    rateState: z.object({ available: count, nextAt: moment.nullable() }).nullable(),
    adaptiveLimit: count.nullable(),
    throttledUntil: moment.nullable(),
    pausedAt: moment.nullable(),
    breaker: z.enum(['CLOSED', 'OPEN', 'HALF_OPEN']),
    breakerUntil: moment.nullable(),
    createdAt: moment,
    updatedAt: moment,
  }),
);

export const schedule = answer(
  'Schedule',
  z.object({
    name: z.string(),
    pipeline: z.string(),
    version: count.nullable(),
    cron: z.string(),
    timeZone: z.string(),
    input: payload,
    labels,
    priority: count,
    overlap: z.string(),
    missed: z.string(),
    missedLimit: count,
    enabled: z.boolean(),
    nextRunAt: moment.nullable(),
    lastRunAt: moment.nullable(),
    lastExecutionId: z.string().nullable(),
    lastError: failure.nullable(),
    waiting: count,
    skipped: count,
    createdAt: moment,
    updatedAt: moment,
  }),
);

export const trigger = answer(
  'Trigger',
  z.object({
    name: z.string(),
    pipeline: z.string(),
    version: count.nullable(),
    queue: z.string(),
    exchange: z.string().nullable(),
    routingKey: z.string().nullable(),
    labels,
    priority: count,
    enabled: z.boolean(),
    received: count,
    started: count,
    duplicates: count,
    refused: count,
    lastError: z.unknown(),
    createdAt: moment,
    updatedAt: moment,
  }),
);

export const refusedMessage = answer(
  'RefusedMessage',
  z.object({
    id: z.string(),
    messageId: z.string().nullable(),
    reason: z.unknown(),
    bytes: count,
    encoding: z.enum(['utf8', 'base64']),
    body: z.string(),
    at: moment,
  }),
);
