import { modes } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { Gate } from '../support/gate.js';
import { inModes } from '../support/in-every-mode.js';

inModes(modes, 'nested fan-outs', (stage) => {
  it('go sixteen deep, and the seventeenth fails readably', async () => {
    const { api } = stage.engine;
    const leaf = stage.name();
    const echo = { id: 'echo', type: 'TRANSFORM', config: { output: '${input}' } };
    const over = (pipeline: string) => [{ id: 'fan', type: 'SPAWNER', config: { items: ['${input}'], pipeline } }];
    await api.publish({ name: leaf, nodes: [echo] });
    let below = leaf;
    for (let depth = 1; depth <= 16; depth++) {
      const name = stage.name();
      await api.publish({ name, nodes: over(below) });
      below = name;
    }
    const top = below;
    const done = await api.run(top, 7);
    expect(done.state).toBe('SUCCEEDED');
    const { descendants } = await api.need(200, 'GET', `/v1/executions/${done.id}/lineage`);
    expect(descendants).toMatchObject({ SUCCEEDED: 16 });
    // one more level under a name that was resolved a moment ago
    const deeper = stage.name();
    await api.publish({ name: deeper, nodes: [echo] });
    await api.publish({ name: leaf, nodes: over(deeper) });
    const failed = await api.run(top, 7);
    expect(failed.state).toBe('FAILED');
    const all = await api.all<{ state: string; error: { code: string; message: string } }>(
      `/v1/executions?root=${failed.id}&state=FAILED`,
    );
    expect(all.map((e) => e.error)).toContainEqual(
      expect.objectContaining({ code: 'FAN_OUT.TOO_DEEP', message: 'fan-outs nest at most 16 deep' }),
    );
    expect((await api.call('POST', '/v1/pipelines', { name: stage.name(), nodes: over(top) })).status).toBe(422);
  });

  it('of three levels of ten run all thousand, and a parent that waits holds nothing', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    sink.answer(async () => (await gate.pass(), {}));
    const name = stage.name();
    const ten = (node: object) => ({ type: 'SPAWNER', config: { items: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], node } });
    const work = { type: 'HTTP', maxConcurrency: 3, config: { method: 'POST', url: sink.url } };
    await api.publish({ name, nodes: [{ id: 'fan', ...ten(ten(ten(work))) }] });
    const { id } = await api.start(name, {});
    await eventually(() => expect(gate.held).toBe(3));
    await eventually(async () =>
      expect((await api.need(200, 'GET', `/v1/executions/${id}/lineage`)).descendants).toMatchObject({ RUNNING: 113 }),
    );
    const held = await engine.query<{ n: number }>(
      `select count(*)::integer as n from task t join execution e on e.id = t.execution_id
       join fan_out f on f.id = e.fan_out_id where f.root_id = $1 and (t.state = 'running' or t.attempt > 0)`,
      [id],
    );
    expect(held).toEqual([{ n: 3 }]);
    gate.open();
    expect((await api.settled(id)).state).toBe('SUCCEEDED');
    expect(sink.calls).toHaveLength(1_000);
    expect([...sink.callsByKey().values()].every((count) => count === 1)).toBe(true);
    expect((await api.need(200, 'GET', `/v1/executions/${id}/lineage`)).descendants).toMatchObject({
      SUCCEEDED: 1_110,
    });
    const fanOuts = (await engine.query<{ id: number }>('select id from fan_out where root_id = $1', [id])).map(
      (f) => f.id,
    );
    expect(fanOuts).toHaveLength(111);
    await api.need(202, 'DELETE', `/v1/executions/${id}`);
    await eventually(async () =>
      expect(
        await engine.query(
          `select (select count(*)::integer from execution where id = $1 or fan_out_id = any ($2)) as executions,
             (select count(*)::integer from fan_out where id = any ($2)) as fan_outs`,
          [id, fanOuts],
        ),
      ).toEqual([{ executions: 0, fan_outs: 0 }]),
    );
  });
});
