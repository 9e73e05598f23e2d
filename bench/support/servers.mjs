import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import amqp from 'amqplib';
import pg from 'pg';
import { load } from '../../test/support/compiled.mjs';

/**
 * The servers that DATABASE_URL and RABBITMQ_URL name; otherwise an embedded Postgres of our own, durable as in use, and a
 * RabbitMQ as the tests find one, a private node where it is installed.
 *
 * @returns `{databaseUrl, rabbitmqUrl, query, dropNamespace, stop}`; `rabbitmqUrl` is undefined where none is wanted
 */
export const startServers = async (build, { rabbitmq }) => {
  const postgres = process.env.DATABASE_URL ? { url: process.env.DATABASE_URL } : await ownPostgres(build);
  let broker;
  try {
    if (rabbitmq) broker = await (await load('test/support/servers', 'rabbit.js')).startTestRabbit(process.env);
  } catch (error) {
    await postgres.stop?.();
    throw error;
  }
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
  pool.on('error', () => undefined);
  const query = async (text, values) => (await pool.query(text, values)).rows;
  return {
    databaseUrl: postgres.url,
    rabbitmqUrl: broker?.url,
    query,
    async dropNamespace(namespace) {
      await query(`drop schema if exists ${namespace} cascade`);
      if (broker) await dropQueues(build, broker.url, namespace);
    },
    async stop() {
      await pool.end();
      await Promise.all([postgres.stop?.(), broker?.stop()]);
    },
  };
};

const ownPostgres = async (build) => {
  const { startEmbeddedPostgres } = await build.import('apps/standalone/src/embedded/index.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'fanfold-bench-postgres-'));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  const server = await startEmbeddedPostgres({ dataDir, newPassword: () => randomBytes(16).toString('hex') });
  // A run that is broken off stops nothing in order.
  const abandon = () => {
    try {
      process.kill(server.pid, 'SIGQUIT');
    } catch {
      // It has ended.
    }
    remove();
  };
  process.once('exit', abandon);
  return {
    url: server.url,
    async stop() {
      process.off('exit', abandon);
      await server.stop();
      remove();
    },
  };
};

const dropQueues = async (build, url, namespace) => {
  const contracts = await build.import('libs/contracts/src/index.js');
  const { DEAD_LETTER_QUEUE } = await build.import('libs/messaging/src/index.js');
  const named = (suffix) =>
    Object.keys(contracts)
      .filter((name) => name.endsWith(suffix))
      .map((name) => contracts[name]);
  const connection = await amqp.connect(url);
  const channel = await connection.createChannel();
  for (const queue of [
    ...named('_QUEUE'),
    DEAD_LETTER_QUEUE,
    contracts.taskQueue('default'),
    contracts.lightTaskQueue('default'),
  ])
    await channel.deleteQueue(`${namespace}_${queue}`);
  for (const topic of named('_TOPIC')) await channel.deleteExchange(`${namespace}_signal_${topic}`);
  await connection.close();
};
