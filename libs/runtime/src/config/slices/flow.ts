import { z } from 'zod';
import { wholeNumber } from '../variable.js';

export const flowVariables = {
  SPAWN_LEAD: wholeNumber(1, 10_000_000)
    .prefault('20000')
    .meta({ description: 'Pending children a spawner may be ahead of admission.' }),
  ADMISSION_WINDOW: wholeNumber(1, 1_000_000).prefault('5000').meta({ description: 'Ready tasks per queue.' }),
  LARGE_GRAPH_NODES: wholeNumber(2, 1_000_000).prefault('64').meta({
    description: 'Executions of so many nodes are decided from a part of their tasks. It changes no outcome.',
  }),
};

/** How far work may run ahead of the executors. */
export interface FlowConfig {
  readonly spawnLead: number;
  readonly admissionWindow: number;
  readonly largeGraphNodes: number;
}

const schema = z.object(flowVariables);

export const flowConfig = (values: z.output<typeof schema>): FlowConfig => ({
  spawnLead: values.SPAWN_LEAD,
  admissionWindow: values.ADMISSION_WINDOW,
  largeGraphNodes: values.LARGE_GRAPH_NODES,
});
