import { z } from 'zod';
import { wholeNumber } from '../variable.js';

export const flowVariables = {
  SPAWN_LEAD: wholeNumber(1, 10_000_000)
    .prefault('20000')
    .meta({ description: 'Pending children a spawner may be ahead of admission.' }),
  ADMISSION_WINDOW: wholeNumber(1, 1_000_000).prefault('5000').meta({ description: 'Ready tasks per queue.' }),
};

/** How far work may run ahead of the executors. */
export interface FlowConfig {
  readonly spawnLead: number;
  readonly admissionWindow: number;
}

const schema = z.object(flowVariables);

export const flowConfig = (values: z.output<typeof schema>): FlowConfig => ({
  spawnLead: values.SPAWN_LEAD,
  admissionWindow: values.ADMISSION_WINDOW,
});
