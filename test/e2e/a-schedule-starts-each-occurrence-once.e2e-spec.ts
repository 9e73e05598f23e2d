import { eventually } from '../support/eventually.js';
import { inModes } from '../support/in-every-mode.js';

// Two orchestrators look at the same schedules all the time.
inModes(
  ['services without a broker', 'standalone'],
  'a schedule',
  (stage) => {
    const { need, call } = {
      need: (...request: Parameters<typeof stage.engine.api.need>) => stage.engine.api.need(...request),
      call: (...request: Parameters<typeof stage.engine.api.call>) => stage.engine.api.call(...request),
    };
    const never = '0 0 1 1 *';
    const publish = async (config: object, type = 'WAIT') => {
      const name = stage.name();
      await stage.engine.api.publish({ name, nodes: [{ id: 'only', type, config }] });
      return name;
    };
    const schedule = async (pipeline: string, more: object) => {
      const name = stage.name();
      return need(201, 'POST', '/v1/schedules', { name, pipeline, cron: never, ...more });
    };
    const view = (name: string) => need(200, 'GET', `/v1/schedules/${name}`);
    const startedBy = async (name: string) =>
      (await need(200, 'GET', `/v1/executions?label=schedule=${name}&include=input&limit=1000`)).items as {
        id: string;
        state: string;
        input: unknown;
        labels: Record<string, string>;
      }[];
    /** As if nobody had been there since then. */
    const away = (name: string, text: string) =>
      stage.engine.query(`update schedule set next_at = now() - $2::interval where name = $1`, [name, text]);
    const remove = (name: string) => need(202, 'DELETE', `/v1/schedules/${name}`);
    const secondsOf = (executions: { labels: Record<string, string> }[]) =>
      executions.map(({ labels }) => Date.parse(labels.scheduledFor!) / 1_000).sort((a, b) => a - b);

    it('of every second starts one execution for each, with the input and the labels it was given', async () => {
      const pipeline = await publish({ output: '${input.big}' }, 'TRANSFORM');
      const body = `{"name":"every-second","pipeline":"${pipeline}","cron":"*/1 * * * * *","overlap":"QUEUE",
        "input":{"big":12345678901234567890},"labels":{"team":"a"}}`;
      await need(201, 'POST', '/v1/schedules', body);
      await eventually(async () => expect((await startedBy('every-second')).length).toBeGreaterThanOrEqual(3));
      await need(200, 'PATCH', '/v1/schedules/every-second', { enabled: false });
      const started = await startedBy('every-second');
      const seconds = secondsOf(started);
      expect(seconds).toEqual(seconds.map((_, i) => seconds[0]! + i));
      expect(started[0]!.labels).toMatchObject({ team: 'a', schedule: 'every-second' });
      const { text } = await call('GET', `/v1/executions/${started[0]!.id}`);
      expect(text).toContain('12345678901234567890');
      expect(await view('every-second')).toMatchObject({
        enabled: false,
        nextRunAt: null,
        lastRunAt: new Date(seconds.at(-1)! * 1_000).toISOString(),
        skipped: 0,
        lastError: null,
      });
      await remove('every-second');
    });

    it('skips, queues or cancels while what it started is open', async () => {
      const pipeline = await publish({ duration: '1h' });
      const everySecond = { cron: '*/1 * * * * *' };
      const names = await Promise.all(
        ['SKIP', 'QUEUE', 'CANCEL_PREVIOUS'].map(
          async (overlap) => (await schedule(pipeline, { ...everySecond, overlap })).name as string,
        ),
      );
      const [skip, queue, cancel] = names as [string, string, string];
      await eventually(async () => {
        expect((await view(skip)).skipped).toBeGreaterThanOrEqual(2);
        expect((await view(queue)).waiting).toBeGreaterThanOrEqual(2);
        expect((await startedBy(cancel)).length).toBeGreaterThanOrEqual(3);
      });
      expect(await startedBy(skip)).toHaveLength(1);
      const [first, ...others] = await startedBy(queue);
      expect(others).toEqual([]);
      const open = (await startedBy(cancel)).filter(({ state }) => state !== 'CANCELLED');
      expect(open.length).toBeLessThanOrEqual(1);
      // What waits starts when the one before it settles.
      await stage.engine.api.act(first!.id, 'cancel');
      await eventually(async () => expect(await startedBy(queue)).toHaveLength(2));
      const [before, after] = secondsOf(await startedBy(queue)) as [number, number];
      expect(after - before).toBe(1);
      // What is disabled starts nothing that waits, and forgets it.
      expect(await need(200, 'PATCH', `/v1/schedules/${queue}`, { enabled: false })).toMatchObject({ waiting: 0 });
      for (const name of names) await remove(name);
      for (const name of names)
        for (const { id, state } of await startedBy(name))
          if (state !== 'CANCELLED') await stage.engine.api.act(id, 'cancel');
    });

    it('that is disabled drops what waits, says how many, and starts none of them when it is enabled again', async () => {
      const pipeline = await publish({ duration: '1h' });
      const { name } = await schedule(pipeline, { cron: '*/1 * * * * *', overlap: 'QUEUE' });
      await eventually(async () => expect((await view(name)).waiting).toBeGreaterThanOrEqual(2));
      // From here on nothing more falls due; what waits stays.
      const { waiting, skipped } = await need(200, 'PATCH', `/v1/schedules/${name}`, { cron: never });
      expect([waiting >= 2, skipped]).toEqual([true, 0]);
      const disabled = await need(200, 'PATCH', `/v1/schedules/${name}`, { enabled: false });
      expect(disabled).toMatchObject({ waiting: 0, skipped: waiting, enabled: false });
      await need(200, 'PATCH', `/v1/schedules/${name}`, { enabled: true, cron: '*/1 * * * * *' });
      const [first] = await startedBy(name);
      await stage.engine.api.act(first!.id, 'cancel');
      await eventually(async () => expect(await startedBy(name)).toHaveLength(2));
      const [, next] = secondsOf(await startedBy(name));
      expect(next! * 1_000).toBeGreaterThanOrEqual(Date.parse(disabled.updatedAt));
      await remove(name);
      for (const { id, state } of await startedBy(name))
        if (state !== 'CANCELLED') await stage.engine.api.act(id, 'cancel');
    });

    it('that nobody looked at for long runs what its policy says, once', async () => {
      const pipeline = await publish({ output: 1 }, 'TRANSFORM');
      const minutely = { cron: '* * * * *', overlap: 'QUEUE' };
      const make = async (more: object) => (await schedule(pipeline, { ...minutely, ...more })).name as string;
      const [skip, once, all] = [
        await make({ missed: 'SKIP' }),
        await make({ missed: 'RUN_ONCE' }),
        await make({ missed: 'RUN_ALL', missedLimit: 3 }),
      ];
      for (const name of [skip, once, all]) await away(name, '10 minutes');
      await eventually(async () => {
        for (const name of [skip, once, all])
          expect(Date.parse((await view(name)).nextRunAt)).toBeGreaterThan(Date.now());
        expect((await startedBy(all)).length).toBeGreaterThanOrEqual(3);
        expect((await startedBy(once)).length).toBeGreaterThanOrEqual(1);
      });
      // The occurrence of the last minute is only late, so there may be one more of each.
      const counted = async (name: string) => [(await startedBy(name)).length, (await view(name)).skipped] as const;
      const settled = async (name: string, missed: number) => {
        const [started, skipped] = await counted(name);
        expect([missed, missed + 1]).toContain(started);
        expect([10, 11]).toContain(started + skipped);
      };
      await eventually(() => settled(skip, 0));
      await eventually(() => settled(once, 1));
      await eventually(() => settled(all, 3));
      const seconds = secondsOf(await startedBy(all));
      expect(seconds).toEqual(seconds.map((_, i) => seconds[0]! + 60 * i));
      for (const name of [skip, once, all]) await remove(name);
    });

    it('says why it could not start, and goes on when it can', async () => {
      const pipeline = await publish({ output: 1 }, 'TRANSFORM');
      const { name } = await schedule(pipeline, { cron: '*/1 * * * * *' });
      await need(200, 'PATCH', `/v1/pipelines/${pipeline}`, { enabled: false });
      await eventually(async () =>
        expect(await view(name)).toMatchObject({ lastError: { code: 'PIPELINE.DISABLED' }, enabled: true }),
      );
      await need(200, 'PATCH', `/v1/pipelines/${pipeline}`, { enabled: true });
      await eventually(async () => {
        const { lastExecutionId, lastError } = await view(name);
        expect(lastError).toBeNull();
        expect(await stage.engine.api.execution(lastExecutionId)).toMatchObject({ state: 'SUCCEEDED' });
      });
      const bound = await call('DELETE', `/v1/pipelines/${pipeline}`);
      expect([bound.status, bound.json.code]).toEqual([409, 'PIPELINE.IN_USE']);
      await remove(name);
      await eventually(async () => expect((await call('DELETE', `/v1/pipelines/${pipeline}`)).status).toBe(202));
    });

    it('that cannot be is refused with every defect and its path', async () => {
      const pipeline = stage.name();
      await stage.engine.api.publish({
        name: pipeline,
        inputSchema: { type: 'object', required: ['day'] },
        nodes: [{ id: 'a', type: 'TRANSFORM', config: { output: 1 } }],
      });
      const refusal = async (body: object) => {
        const { status, json } = await call('POST', '/v1/schedules', body);
        return [status, json.errors.map(({ path }: { path: string }) => path)];
      };
      const good = { name: stage.name(), pipeline, cron: never, input: { day: 1 } };
      expect(await refusal({ ...good, cron: '61 * * * *', timeZone: 'Mars/Base' })).toEqual([
        422,
        ['timeZone', 'cron'],
      ]);
      expect(await refusal({ ...good, overlap: 'BOTH', missed: 'NONE', missedLimit: 0, priority: 10 })).toEqual([
        422,
        expect.arrayContaining(['overlap', 'missed', 'missedLimit', 'priority']),
      ]);
      expect(await refusal({ ...good, name: 'A B' })).toEqual([422, ['name']]);
      expect(await refusal({ ...good, labels: { schedule: 'x' } })).toEqual([422, ['labels.schedule']]);
      expect(await refusal({ ...good, pipeline: 'nobody-knows-it' })).toEqual([422, ['pipeline']]);
      expect(await refusal({ ...good, version: 7 })).toEqual([422, ['version']]);
      expect(await refusal({ ...good, input: {} })).toEqual([422, ['input']]);
      expect(await refusal({ ...good, more: 1 })).toEqual([422, ['more']]);
      const { name } = await need(201, 'POST', '/v1/schedules', good);
      expect((await call('POST', '/v1/schedules', good)).status).toBe(409);
      expect((await call('PATCH', `/v1/schedules/${name}`, { cron: 'x' })).json.errors[0].path).toBe('cron');
      const changed = await need(200, 'PATCH', `/v1/schedules/${name}`, { cron: '0 9 * * *', timeZone: 'Asia/Tokyo' });
      expect(changed.nextRunAt).toMatch(/T00:00:00.000Z$/);
      expect(changed).toMatchObject({ input: { day: 1 }, missed: 'SKIP', overlap: 'SKIP' });
      expect((await call('GET', '/v1/schedules/nobody-knows-it')).status).toBe(404);
      expect((await need(200, 'GET', '/v1/schedules')).items.map((s: { name: string }) => s.name)).toContain(name);
      await remove(name);
    });
  },
  async () => ({ orchestrators: 2, executors: 1 }),
);
