import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Engine, expectSucceeded, fanOut } from './support/engine.mjs';
import { copyOfBuild } from './support/build.mjs';
import { startServers } from './support/servers.mjs';
const build = copyOfBuild();
const servers = await startServers(build, { rabbitmq: true });
const ms = Number(process.argv[2] || 100),
  slots = process.argv[3] || '20',
  n = Number(process.argv[4] || 4000);
const engine = await Engine.start({ servers, build, mode: 'rabbitmq', env: { EXECUTOR_SLOTS: slots } });
try {
  const { api } = engine;
  const node = ms
    ? { type: 'HANDLER', config: { handler: 'pause', input: { milliseconds: ms } } }
    : { type: 'HANDLER', config: { handler: 'echo', input: '${item}' } };
  const dataset = await api.upload(
    'items',
    'ndjson',
    Readable.from([Array.from({ length: n }, (_, n) => `{"n":${n}}\n`).join('')]),
  );
  await api.publish(fanOut('large', node, { dataset: dataset.id }));
  await api.publish(fanOut('small', node));
  const small = async () => {
    const t = performance.now();
    const { id } = await api.start('small', { items: Array.from({ length: 10 }, (_, n) => n) });
    expectSucceeded(await api.settled(id));
    const took = performance.now() - t;
    const r = await servers.query(
      `select (extract(epoch from min(e.created_at)-p.created_at)*1000)::int spawned, (extract(epoch from min(e.started_at)-p.created_at)*1000)::int first, (extract(epoch from max(e.started_at)-p.created_at)*1000)::int last, (extract(epoch from max(e.finished_at)-p.created_at)*1000)::int childrendone, (extract(epoch from p.finished_at-p.created_at)*1000)::int done from ${engine.namespace}.execution p join ${engine.namespace}.fan_out f on f.parent_id=p.id join ${engine.namespace}.execution e on e.fan_out_id=f.id where p.id=$1 group by p.id, p.created_at, p.finished_at`,
      [id],
    );
    console.log(Math.round(took), JSON.stringify(r[0]));
  };
  for (let i = 0; i < 4; i++) await small();
  console.log('with large');
  const { id } = await api.start('large', {});
  await sleep(2000);
  for (let i = 0; i < 6; i++) {
    await small();
    await sleep(300);
    if ((await api.execution(id)).state !== 'RUNNING') break;
  }
  console.log((await api.execution(id)).state);
  await api.call?.('POST', `/v1/executions/${id}/cancel`).catch?.(() => {});
} finally {
  await engine.stop();
  await servers.stop();
  build.remove();
}
