import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { room } from '../support/engine-process.js';
import { eventually } from '../support/eventually.js';
import { numbers } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';

const moduleOf = (name: string): string => {
  const path = join(room(), `${name}-${process.pid}.mjs`);
  writeFileSync(path, `export async function ${name}({ input }) { return { ${name}: input.n }; }`);
  return path;
};

inModes(
  ['services over RabbitMQ', 'services without a broker'],
  'a handler that only a later executor has',
  (stage) => {
    it('keeps its items waiting, uncharged, and they are done within seconds when that executor comes', async () => {
      const { sink, engine } = stage;
      const { api } = engine;
      const name = stage.name();
      const spawner = (handler: string) => ({
        id: handler,
        type: 'SPAWNER',
        config: { items: '${input.items}', node: { type: 'HANDLER', config: { handler } } },
      });
      await api.publish({ name, nodes: [spawner('late')] });
      await api.publish({
        name: `${name}-other`,
        nodes: [{ id: 'call', type: 'HTTP', config: { method: 'POST', url: sink.url } }, spawner('early')],
      });
      const { id } = await api.start(name, { items: numbers(60) });
      const child = await eventually(async () => {
        const children = await api.children(id);
        expect(children).toHaveLength(60);
        const [attempt] = await api.attempts(children[7]!.id);
        expect(attempt?.outcome).toBe('SNOOZED');
        return children[7]!;
      });
      expect(await api.need(200, 'GET', `/v1/executions/${child.id}/why`)).toMatchObject({
        reason: 'NO_EXECUTOR',
        detail: expect.stringContaining('late'),
      });
      // The executor that is there does everything else meanwhile.
      expect(await api.run(`${name}-other`, { items: numbers(20) })).toMatchObject({ state: 'SUCCEEDED' });
      expect(await api.execution(id)).toMatchObject({ state: 'RUNNING', fanOuts: [{ failed: 0, succeeded: 0 }] });
      const before = performance.now();
      await engine.add('executor', { FANFOLD_HANDLERS: moduleOf('late') });
      expect(await api.settled(id)).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 60 }] });
      expect(performance.now() - before).toBeLessThan(10_000);
      const attempts = await api.attempts(child.id);
      expect(attempts.map(({ outcome }) => outcome)).toEqual([...attempts.slice(1).map(() => 'SNOOZED'), 'SUCCEEDED']);
      expect(attempts.slice(0, -1)).toEqual(attempts.slice(1).map(() => expect.objectContaining({ charged: false })));

      // Each of them now finds its own executor at once: nobody puts back what another one can do.
      const both = await api.run(name, { items: numbers(60) });
      expect(both).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 60 }] });
      for (const { id: one } of await api.children(both.id)) expect(await api.attempts(one)).toHaveLength(1);
    });
  },
  async () => ({ executors: 1, executorEnv: { FANFOLD_HANDLERS: moduleOf('early') } }),
);
