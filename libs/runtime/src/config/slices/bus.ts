import { address } from '../variable.js';

export const busVariables = {
  RABBITMQ_URL: address('amqp', 'amqps').optional().meta({
    description: 'RabbitMQ 3.10 or newer. Without it messages travel over Postgres.',
  }),
};

/** How processes hint at each other. */
export interface BusConfig {
  /** Undefined: the Postgres bus. */
  readonly rabbitmqUrl: string | undefined;
  readonly namespace: string;
}

export const busConfig = (values: { RABBITMQ_URL?: string | undefined; FANFOLD_NAMESPACE: string }): BusConfig => ({
  rabbitmqUrl: values.RABBITMQ_URL,
  namespace: values.FANFOLD_NAMESPACE,
});
