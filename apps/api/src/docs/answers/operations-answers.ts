import { roles } from '@app/persistence';
import { z } from 'zod';
import { answer, count, moment } from './answer-schema.js';

/** An incarnation of an executor. */
export const executor = answer(
  'Executor',
  z.object({
    id: z.string(),
    name: z.string(),
    state: z.enum(['LIVE', 'DRAINING', 'LOST', 'ENDED']),
    slots: count,
    freeSlots: count,
    queues: z.array(z.string()),
    handlers: z.array(z.string()),
    leaseMs: count,
    heartbeatMs: count,
    host: z.string().nullable(),
    startedAt: moment,
    seenAt: moment,
    endedAt: moment.nullable(),
    running: count,
  }),
);

export const backlogPoint = answer(
  'BacklogPoint',
  z.object({ at: moment, queue: z.string(), pending: count, ready: count, running: count }),
);

export const pressure = answer('Pressure', z.object({ kind: z.string(), detail: z.string(), since: moment }));

export const quota = answer(
  'Quota',
  z.object({ scope: z.string(), maxOpenExecutions: count.nullable(), maxChildrenPerFanOut: count.nullable() }),
);

const keyFacts = { id: z.string(), name: z.string(), role: z.enum(roles), createdAt: moment };
export const apiKey = answer('ApiKey', z.object(keyFacts));
/** The secret is shown this once: null in the answer to a repetition. */
export const newApiKey = answer('NewApiKey', z.object({ ...keyFacts, secret: z.string().nullable() }));

export const auditEntry = answer(
  'AuditEntry',
  z.object({
    id: z.string(),
    at: moment,
    actor: z.string(),
    action: z.string(),
    target: z.string(),
    data: z.unknown(),
  }),
);

/** Every refusal (RFC 9457). Further facts depend on the code. */
export const problem = answer(
  'Problem',
  z.looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })),
  }),
);
