import { fanOut, numbers } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('a request key', (stage) => {
  it('makes fifty equal starts at once one execution, and all fifty learn its id', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const name = stage.name();
    await api.publish(fanOut(name, sink.url));
    const start = () =>
      api.call(
        'POST',
        `/v1/pipelines/${name}/executions`,
        { input: { items: numbers(3) } },
        { 'idempotency-key': name },
      );
    const until201 = async (): Promise<string> => {
      for (;;) {
        const reply = await start();
        if (reply.status === 201 || reply.status === 200) return reply.json.id;
        expect(reply).toMatchObject({ status: 409 });
        expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
      }
    };
    const ids = await Promise.all(Array.from({ length: 50 }, until201));
    expect(new Set(ids).size).toBe(1);
    await api.settled(ids[0]!);
    expect(await api.all(`/v1/executions?pipeline=${name}`)).toHaveLength(1);
    expect(sink.calls).toHaveLength(3);
    const replay = await start();
    expect([replay.json.id, replay.headers.get('idempotent-replayed')]).toEqual([ids[0], 'true']);
    const other = await api.call(
      'POST',
      `/v1/pipelines/${name}/executions`,
      { input: { items: [] } },
      { 'idempotency-key': name },
    );
    expect(other).toMatchObject({ status: 422, json: { code: 'IDEMPOTENCY.KEY_REUSED' } });
  });
});
