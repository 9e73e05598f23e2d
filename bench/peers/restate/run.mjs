// Restate: a handler that calls N handlers and waits for all of them. Every call is an invocation of its own; results are in
// the journal of the caller.
//
// Settings, and why:
// - Scatter and gather by calls that are awaited together, as its documentation has it, as a tree of handlers that call 100
//   others each: what an invocation costs grows with the calls that it awaits, and with 1,000 of them it took seven times as
//   long.
// - The server is the released one, alone on this machine, with its default configuration but for the partitions: its log is
//   written to disk with fsync before it answers. 4 partitions instead of 24, which are meant for more cores than two and
//   were a third slower on them. Telemetry is off.
// - The service is a process of its own and speaks HTTP/2 with the server, as it does by default.
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import * as restate from '@restatedev/restate-sdk';
import { item, runPeer } from '../support/peer.mjs';
import { freePort, startServer } from '../support/server.mjs';

const WIDTH = 100;
const PARTITIONS = 4;

// The SDK is written for Node 22, which has this.
Promise.withResolvers ??= () => {
  const all = {};
  all.promise = new Promise((resolve, reject) => Object.assign(all, { resolve, reject }));
  return all;
};

let performed = 0;
const child = restate.service({
  name: 'child',
  handlers: {
    run: async (_ctx, one) => {
      performed++;
      return one;
    },
    performed: async () => performed,
  },
});
const parent = restate.service({
  name: 'parent',
  handlers: {
    /** @returns how many of its children gave back what they were given */
    run: async (ctx, { from, length }) => {
      if (length <= WIDTH) {
        const calls = Array.from({ length }, (_, n) => ctx.serviceClient(child).run(item(from + n)));
        const results = await restate.RestatePromise.all(calls);
        return results.filter(({ n }, index) => n === from + index).length;
      }
      const size = Math.max(WIDTH, Math.ceil(length / WIDTH));
      const groups = [];
      for (let done = 0; done < length; done += size)
        groups.push(ctx.serviceClient(parent).run({ from: from + done, length: Math.min(size, length - done) }));
      return (await restate.RestatePromise.all(groups)).reduce((sum, one) => sum + one, 0);
    },
  },
});

const lead = async ({ room }) => {
  const program = createRequire(import.meta.url).resolve(
    `@restatedev/restate-server-${platform()}-${arch()}/bin/restate-server`,
  );
  const [node, ingress, admin, service] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const urls = { ingress: `http://127.0.0.1:${ingress}`, admin: `http://127.0.0.1:${admin}` };
  const stop = await startServer(program, ['--no-logo', '--base-dir', room, '--bind-port', String(node)], {
    room,
    env: {
      RESTATE_BIND_IP: '127.0.0.1',
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_INGRESS__BIND_PORT: String(ingress),
      RESTATE_ADMIN__BIND_PORT: String(admin),
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_DEFAULT_NUM_PARTITIONS: String(PARTITIONS),
    },
    isReady: async () => (await fetch(`${urls.admin}/health`)).ok && (await fetch(`${urls.ingress}/restate/health`)).ok,
  });
  const post = async (url, body) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${url} gave ${response.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
  return {
    context: { service },
    ready: () => post(`${urls.admin}/deployments`, { uri: `http://127.0.0.1:${service}` }),
    fanOut: (count) => post(`${urls.ingress}/parent/run`, { from: 0, length: count }),
    // Counted where they are performed: a completed call leaves no row to be counted.
    settled: () => post(`${urls.ingress}/child/performed`),
    one: (n) => post(`${urls.ingress}/child/run`, item(n)),
    async stop() {
      stop();
    },
  };
};

const work = async ({ service }) => {
  await restate.serve({ services: [child, parent], port: service });
};

await runPeer(
  {
    peer: 'restate',
    packages: ['@restatedev/restate-server'],
    stores: ['own'],
    // All calls of a service go to one address.
    maxWorkers: 1,
    settings: { width: WIDTH, partitions: PARTITIONS },
    lead,
    work,
  },
  import.meta,
);
