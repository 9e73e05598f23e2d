import { eventually } from '../support/eventually.js';
import { fanOut } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inModes } from '../support/in-every-mode.js';

inModes(
  ['services over RabbitMQ', 'services without a broker'],
  'an executor',
  (stage) => {
    it('that stood still past its lease cannot record: the second claim’s outcome stays', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      const gate = new Gate();
      let calls = 0;
      sink.answer(async () => {
        calls += 1;
        const mine = calls;
        if (mine === 1) await gate.pass();
        return { body: `"call ${mine}"` };
      });
      const name = stage.name();
      await api.publish(
        fanOut(name, sink.url, { node: { timeout: '60s', retry: { maxAttempts: 3, initialDelay: '100ms' } } }),
      );
      const { id } = await api.start(name, { items: [{ n: 0 }] });
      await eventually(() => expect(gate.held).toBe(1));
      const [row] = await engine.query<{ name: string }>(
        `select x.name from task t join executor x on x.id = t.incarnation join fan_out f on f.parent_id = $1
         where t.execution_id = fan_out_first_child(f.root_id, f.id)`,
        [id],
      );
      const holder = engine.named('executor').find(({ pid }) => row!.name.endsWith(`:${pid}`))!;
      holder.freeze();
      // Its answer arrives while it stands still.
      gate.open();
      const done = await api.settled(id, 30_000);
      expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: 1 }] });
      const [child] = await api.children(id);
      const before = await api.execution(child!.id);
      expect(before.output.body).toBe('call 2');
      holder.thaw();
      // It comes back as another incarnation, and by then has tried to record.
      await holder.ready(30_000);
      await eventually(async () => {
        const metrics = await (await fetch(`${holder.url}/metrics`)).text();
        const rejected = Number(/^fanfold_late_outcomes_rejected_total (\d+)/m.exec(metrics)?.[1] ?? 0);
        const [beat] = await engine.query<{ live: number }>(
          `select count(*)::int as live from executor where name like '%:' || $1::text and state = 'live'`,
          [String(holder.pid)],
        );
        return rejected > 0 || beat!.live > 0;
      });
      const now = await api.execution(child!.id);
      expect({ output: now.output, state: now.state, finishedAt: now.finishedAt }).toEqual({
        output: before.output,
        state: before.state,
        finishedAt: before.finishedAt,
      });
      expect((await api.execution(id)).fanOuts).toEqual(done.fanOuts);
      const keys = sink.calls.map(({ headers }) => headers['idempotency-key']);
      expect(new Set(keys).size).toBe(1);
      expect(sink.calls.map(({ headers }) => headers['x-execution-id'])).toEqual([
        `${String(keys[0])}-1`,
        `${String(keys[0])}-2`,
      ]);
      const attempts = await api.attempts(child!.id);
      expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
      expect(attempts[0]).toMatchObject({ charged: true, error: { class: 'EXECUTOR_LOST' } });
    }, 90_000);

    it('that keeps its heartbeat never loses its claim, however long a call takes', async () => {
      const { engine, sink } = stage;
      const gate = new Gate();
      sink.answer(async () => (await gate.pass(), {}));
      const name = stage.name();
      await engine.api.publish(fanOut(name, sink.url, { node: { timeout: '60s' } }));
      const { id } = await engine.api.start(name, { items: [{ n: 1 }, { n: 2 }] });
      await eventually(() => expect(gate.held).toBe(2));
      // Three leases of two seconds pass on the database's clock.
      const [start] = await engine.query<{ at: string }>('select now()::text as at');
      await eventually(
        async () =>
          (
            await engine.query<{ over: boolean }>(`select now() > $1::timestamptz + interval '6 seconds' as over`, [
              start!.at,
            ])
          )[0]!.over,
        { timeoutMs: 15_000, everyMs: 200 },
      );
      gate.open();
      expect(await engine.api.settled(id)).toMatchObject({ state: 'SUCCEEDED' });
      expect(sink.calls).toHaveLength(2);
    });

    it('killed during the last attempt leaves EXECUTOR_LOST, and the merge is decided', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      const gate = new Gate();
      sink.answer(async () => (await gate.pass(), {}));
      const name = stage.name();
      await api.publish(
        fanOut(name, sink.url, { node: { retry: { maxAttempts: 1 } }, merge: { tolerateChildFailures: ['FAILED'] } }),
      );
      const { id } = await api.start(name, { items: [{ n: 0 }] });
      await eventually(() => expect(gate.held).toBe(1));
      const executors = engine.named('executor');
      await Promise.all(executors.map((one) => one.kill()));
      await Promise.all(executors.map((one) => one.up().ready()));
      const done = await api.settled(id, 30_000);
      gate.open();
      expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ failed: 1, verdict: 'PASSED' }] });
      expect(JSON.parse((await api.resultLines(id))[0]!)).toMatchObject({
        state: 'FAILED',
        error: { class: 'EXECUTOR_LOST' },
      });
      expect(sink.calls).toHaveLength(1);
    }, 60_000);
  },
  async () => ({ executors: 2, executorEnv: { EXECUTOR_LEASE_MS: '2000', EXECUTOR_HEARTBEAT_MS: '400' } }),
);
