import { errorClasses, nodeTypes } from '@app/domain';
import { z } from 'zod';
import { stateNames } from '../../executions/execution-filters.js';
import { answer, count, labels, moment, payload } from './answer-schema.js';

export const executionState = answer('ExecutionState', z.enum(stateNames));
export const nodeType = answer('NodeType', z.enum(nodeTypes));

/** Why something failed. Further facts depend on the code. */
export const failure = answer(
  'Failure',
  z.looseObject({
    class: z.enum(errorClasses),
    code: z.string(),
    message: z.string(),
    nodeId: z.string().optional(),
    attempt: count.optional(),
    status: z.int().optional(),
    body: z.string().optional(),
  }),
);

/** A row of a list. */
export const executionRow = answer(
  'ExecutionRow',
  z.object({
    id: z.string(),
    pipeline: z.object({ name: z.string(), version: count }),
    node: z.string().nullable(),
    state: executionState,
    parentId: z.string().nullable(),
    rootId: z.string(),
    spawnedBy: z.string().nullable(),
    itemIndex: count.nullable(),
    itemKey: z.string().nullable(),
    key: z.string().nullable(),
    error: failure.nullable(),
    fingerprint: z.string().nullable(),
    labels,
    priority: count,
    attempt: count,
    traceId: z.string().nullable(),
    createdAt: moment,
    startedAt: moment.nullable(),
    finishedAt: moment.nullable(),
    openDescendants: count,
    input: payload.optional(),
    output: payload.optional(),
  }),
);

export const nodeOfExecution = answer(
  'NodeOfExecution',
  z.object({
    id: z.string(),
    type: nodeType,
    state: z.enum(['PENDING', 'READY', 'RUNNING', 'WAITING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'SKIPPED']),
    attempt: count,
    startedAt: moment.nullable(),
    finishedAt: moment.nullable(),
    availableAt: moment.nullable(),
    error: failure.nullable(),
  }),
);

/** The seven counters sum to `spawned`. */
export const fanOut = answer(
  'FanOut',
  z.object({
    nodeId: z.string(),
    childPipeline: z.string(),
    generation: count,
    round: count,
    total: count.nullable(),
    spawned: count,
    sealed: z.boolean(),
    pending: count,
    ready: count,
    running: count,
    paused: count,
    succeeded: count,
    failed: count,
    cancelled: count,
    verdict: z.enum(['OPEN', 'PASSED', 'FAILED']),
    attached: count,
    maxConcurrency: count.nullable(),
    pausedAt: moment.nullable(),
    cancelledAt: moment.nullable(),
    deferredUntil: moment.nullable(),
    deferredReason: z.string().nullable(),
    rollout: z
      .object({
        stage: count,
        stages: count,
        released: count,
        stopped: z.object({ failed: count, allowed: z.string() }).nullable(),
      })
      .nullable(),
  }),
);

export const execution = answer(
  'Execution',
  executionRow.extend({ input: payload, output: payload, nodes: z.array(nodeOfExecution), fanOuts: z.array(fanOut) }),
);

export const redriven = answer('Redriven', z.object({ matched: count, redriven: count }));

export const lineage = answer(
  'Lineage',
  z.object({
    ancestors: z.array(
      z.object({
        id: z.string(),
        pipeline: z.object({ name: z.string(), version: count }),
        state: executionState,
        nodeId: z.string().nullable(),
        itemIndex: count.nullable(),
      }),
    ),
    descendants: z.object({
      PENDING: count,
      READY: count,
      RUNNING: count,
      PAUSED: count,
      SUCCEEDED: count,
      FAILED: count,
      CANCELLED: count,
    }),
  }),
);

/** Why it is not progressing. */
export const why = answer(
  'Why',
  z.object({
    reason: z.string(),
    detail: z.string(),
    nodeId: z.string().optional(),
    until: moment.optional(),
    destination: z.string().optional(),
    limit: z.string().optional(),
  }),
);

export const failureGroup = answer(
  'FailureGroup',
  z.object({
    fingerprint: z.string(),
    class: z.string().nullable(),
    code: z.string().nullable(),
    status: z.int().nullable(),
    message: z.string().nullable(),
    sample: z.object({ id: z.string(), error: failure.nullable() }),
    count,
  }),
);

/** One line of the results; `output` is left out where the child gave nothing. */
export const resultLine = answer(
  'ResultLine',
  z.object({
    index: count,
    key: z.string().nullable(),
    state: executionState,
    output: payload.optional(),
    error: failure.optional(),
  }),
);
