import { totalmem } from 'node:os';

const GIGABYTE = 1_024 ** 3;

/**
 * Settings for one machine that also does other things. `durable: false` gives up every promise about crashes and is for
 * tests only.
 */
export const serverSettings = (durable: boolean): Readonly<Record<string, string>> => ({
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: totalmem() >= 6 * GIGABYTE ? '256MB' : '128MB',
  effective_cache_size: `${Math.max(1, Math.floor(totalmem() / GIGABYTE / 2))}GB`,
  wal_buffers: '16MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  checkpoint_completion_target: '0.9',
  wal_compression: 'on',
  random_page_cost: '1.1',
  jit: 'off',
  // Our statements are short sets; and the shared memory of a container is too small for parallel plans.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  // Rows move through their states within minutes; what they leave behind must not wait for the default minute.
  autovacuum_naptime: '15s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  ...(durable
    ? {}
    : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', wal_level: 'minimal', max_wal_senders: '0' }),
});
