import { z } from 'zod';
import { wholeNumber } from '../variable.js';

/** How much of a queue is handed out: of whoever hands out. */
export const windowVariables = {
  ADMISSION_WINDOW: wholeNumber(1, 1_000_000).prefault('5000').meta({ description: 'Ready tasks per queue.' }),
};

export const flowVariables = {
  ...windowVariables,
  SPAWN_LEAD: wholeNumber(1, 10_000_000)
    .prefault('20000')
    .meta({ description: 'Pending children a spawner may be ahead of admission.' }),
  LARGE_GRAPH_NODES: wholeNumber(2, 1_000_000).prefault('64').meta({
    description: 'Executions of so many nodes are decided from a part of their tasks. It changes no outcome.',
  }),
  BACKLOG_THRESHOLD: wholeNumber(1, 10_000_000).prefault('1000').meta({
    description: 'Tasks of a fan-out that may wait to be admitted again before no more of its children are started.',
  }),
  STORAGE_BUDGET_BYTES: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional().meta({
    description: 'Bytes that all tables may take on disk before no new fan-out begins.',
  }),
  PAYLOAD_BUDGET_BYTES: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional().meta({
    description: 'Bytes of datasets and lists before no new fan-out begins.',
  }),
  DATABASE_LAG_LIMIT_MS: wholeNumber(100, 86_400_000).prefault('60000').meta({
    description: 'How far settling or a standby may be behind before no new fan-out begins.',
  }),
};

/** How far work may run ahead of the executors. */
export interface FlowConfig {
  readonly spawnLead: number;
  readonly admissionWindow: number;
  readonly largeGraphNodes: number;
  readonly backlogThreshold: number;
  readonly pressure: {
    readonly storageBytes: number | null;
    readonly payloadBytes: number | null;
    readonly lagMs: number;
  };
}

const schema = z.object(flowVariables);

export const flowConfig = (values: z.output<typeof schema>): FlowConfig => ({
  spawnLead: values.SPAWN_LEAD,
  admissionWindow: values.ADMISSION_WINDOW,
  largeGraphNodes: values.LARGE_GRAPH_NODES,
  backlogThreshold: values.BACKLOG_THRESHOLD,
  pressure: {
    storageBytes: values.STORAGE_BUDGET_BYTES ?? null,
    payloadBytes: values.PAYLOAD_BUDGET_BYTES ?? null,
    lagMs: values.DATABASE_LAG_LIMIT_MS,
  },
});
