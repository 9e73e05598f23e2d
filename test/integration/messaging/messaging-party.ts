import { Metrics, silentLogger } from '@app/runtime';
import { openMessaging, type Messaging } from '@app/messaging';
import amqp from 'amqplib';
import pg from 'pg';
import { PlainBusStore } from '../../support/bus-store.js';
import { eventually } from '../../support/eventually.js';
import { freshDatabase, type TestDatabase } from '../../support/postgres.js';
import { testRabbitUrl } from '../../support/rabbit.js';

/** One process's messaging, as far as a test needs it. */
export interface Party extends Messaging {
  readonly metrics: Metrics;
  close(): Promise<void>;
}

/** One kind of bus on a real server. */
export interface BusKind {
  readonly name: 'RabbitMQ' | 'Postgres';
  prepare(): Promise<void>;
  /** The server's URL, so that a test may put a link in front of it. */
  url(): string;
  join(namespace: string, url?: string): Promise<Party>;
  /** Puts bytes on a queue past the bus. */
  sendRaw(namespace: string, queue: string, body: Buffer): Promise<void>;
  cleanUp(): Promise<void>;
}

export const rabbitMq = (url: () => string = testRabbitUrl): BusKind => ({
  name: 'RabbitMQ',
  prepare: async () => undefined,
  url,
  join: async (namespace, through = url()) => {
    const metrics = new Metrics();
    const busStore = () => {
      throw new Error('RabbitMQ needs no store');
    };
    return party(openMessaging({ rabbitmqUrl: through, namespace, busStore, logger: silentLogger, metrics }), metrics);
  },
  sendRaw: async (namespace, queue, body) => {
    await onChannel(url(), async (channel) => {
      channel.sendToQueue(`${namespace}_${queue}`, body);
      await channel.waitForConfirms();
    });
  },
  cleanUp: async () => undefined,
});

export const postgres = (): BusKind => {
  let database: TestDatabase;
  return {
    name: 'Postgres',
    prepare: async () => {
      database = await freshDatabase();
    },
    url: () => database.url,
    join: async (namespace, through = database.url) => {
      const metrics = new Metrics();
      // The table is made past the link, which may be down.
      await (await new PlainBusStore(database.url, namespace).prepare()).close();
      const busStore = () => new PlainBusStore(through, namespace);
      return party(
        openMessaging({ rabbitmqUrl: undefined, namespace, busStore, logger: silentLogger, metrics }),
        metrics,
      );
    },
    sendRaw: async (namespace, queue, body) => {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await client.query(`insert into bus_${namespace} (queue, body) values ($1, $2)`, [
        queue,
        body.toString('latin1'),
      ]);
      await client.end();
    },
    cleanUp: () => database.drop(),
  };
};

/** Waits until every party is connected. */
export const connected = (...parties: readonly Party[]): Promise<unknown> =>
  eventually(() => parties.every(({ bus }) => bus.state === 'up'));

/** Does something on a channel of a connection of its own. */
export const onChannel = async (
  url: string,
  run: (channel: amqp.ConfirmChannel) => Promise<unknown>,
): Promise<void> => {
  const connection = await amqp.connect(url, { noDelay: true });
  connection.on('error', () => undefined);
  try {
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => undefined);
    await run(channel);
  } finally {
    await connection.close().catch(() => undefined);
  }
};

const party = (messaging: Messaging, metrics: Metrics): Party => ({
  ...messaging,
  metrics,
  close: async () => {
    await messaging.strategy.close();
    await messaging.bus.close();
  },
});
