import { begun } from '../../support/begun.js';
import { SETTLED_TOPIC } from '@app/contracts/messages/queues.js';
import { adminKey, apiUnderTest, fanOutDefinition, type ApiReplica, type ApiUnderTest } from './api-under-test.js';
import { seedFanOut, settle } from './seeded-fan-out.js';

interface Frame {
  readonly id?: string;
  readonly event?: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever the stream tells
  readonly data?: any;
  readonly comment?: string;
}

/** Reads a stream until it ends, or until `stop` says so. */
async function follow(
  replica: ApiReplica,
  id: string,
  { lastEventId, logs, stop }: { lastEventId?: string; logs?: boolean; stop?: (frames: Frame[]) => boolean } = {},
): Promise<{ frames: Frame[]; headers: Headers }> {
  const abort = new AbortController();
  const response = await fetch(`${replica.url}/v1/executions/${id}/stream${logs ? '?logs=1' : ''}`, {
    signal: abort.signal,
    headers: {
      authorization: `Bearer ${adminKey}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  });
  const frames: Frame[] = [];
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        frames.push(frameOf(text.slice(0, end)));
        text = text.slice(end + 2);
      }
      if (stop?.(frames)) break;
    }
  } finally {
    abort.abort();
  }
  return { frames: frames.filter((frame) => frame.event), headers: response.headers };
}

function frameOf(text: string): Frame {
  const fields = text
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const);
  const data = fields
    .filter(([name]) => name === 'data')
    .map(([, value]) => value)
    .join('\n');
  const field = (name: string) => fields.find(([found]) => found === name)?.[1];
  return {
    id: field('id'),
    event: field('event'),
    data: data === '' ? undefined : JSON.parse(data),
    comment: field(''),
  };
}

describe('watching tells everything once', () => {
  let api: ApiUnderTest;
  let other: ApiReplica;
  beforeAll(async () => {
    api = await apiUnderTest();
    other = await api.replica();
    await api.call('POST', '/v1/pipelines', fanOutDefinition('watched'));
  });
  afterAll(() => api.close());

  const start = async () =>
    (await api.call('POST', '/v1/pipelines/watched/executions', { input: { items: [1] } })).json.id as string;
  /** Appends stored events as an engine would; returns how many facts they are. */
  const append = async (id: string, kinds: string[], spans: number[]) => {
    for (const [i, kind] of kinds.entries())
      await api.database.pool.query(
        `with e as (update execution set seq = seq + $3, state = 'running' where id = $1 returning seq)
         insert into event (execution_id, seq, kind, node, attempt, data)
         select $1, seq - $3 + 1, $2::event_kind, 0, 1, case when $2 = 'fanout_planned' then '{"total":1}' end from e`,
        [id, kind, spans[i]],
      );
  };

  it('starts with a snapshot, tells events in order, ends when settled, with headers that switch buffering off', async () => {
    const id = await start();
    const following = begun(follow(api, id));
    await append(id, ['opened', 'fanout_planned'], [2, 1]);
    await seedFanOut(api.database, id, [{ state: 'succeeded', output: '1' }]);
    await settle(api.database, id, 'succeeded');
    await api.bus.signal(SETTLED_TOPIC, { ids: [id] });
    const { frames, headers } = await following;
    expect(headers.get('content-type')).toContain('text/event-stream');
    expect(headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(frames[0]).toMatchObject({ event: 'snapshot', data: { id } });
    expect(frames.at(-1)).toMatchObject({ event: 'end', data: { state: 'SUCCEEDED' } });
    const told = frames.filter((frame) => frame.event === 'state' || frame.event === 'node');
    expect(told.map((frame) => Number(frame.id))).toEqual(told.map((_, i) => 5 - told.length + i + 1));
    expect(frames.some((frame) => frame.event === 'progress' && frame.data.fanOuts[0].succeeded === 1)).toBe(true);
  });

  it('resumes on any replica, so that the union of what was told is the history', async () => {
    const id = await start();
    const seen: Frame[] = [];
    for (let round = 0; round < 12; round++) {
      await append(id, ['attempt_started', 'retrying'], [1, 2]);
      if (round === 11) await settle(api.database, id, 'failed');
      const last = seen.at(-1)?.id ?? '0';
      const wanted = Number(last) + (round % 3);
      const { frames } = await follow(round % 2 ? api : other, id, {
        lastEventId: last,
        stop: (told) => round < 11 && Number(told.filter((frame) => frame.id).at(-1)?.id ?? last) >= wanted,
      });
      seen.push(...frames.filter((frame) => frame.id));
    }
    const history = (await api.call('GET', `/v1/executions/${id}/events?limit=1000`)).json.items;
    expect(seen.map((frame) => Number(frame.id))).toEqual(history.map((event: { seq: number }) => event.seq));
    expect(seen.map((frame) => frame.data)).toEqual(history);
    expect(history.map((event: { seq: number }) => event.seq)).toEqual(history.map((_: unknown, i: number) => i + 1));
  });

  it('answers numbers it cannot resume from with a snapshot', async () => {
    const id = await start();
    await append(id, ['opened'], [2]);
    await settle(api.database, id, 'cancelled');
    await api.database.pool.query('delete from event where execution_id = $1 and seq < 4', [id]);
    for (const lastEventId of ['99', 'garbage', '-1', '1', '4294967296000'])
      expect((await follow(api, id, { lastEventId })).frames.map((frame) => frame.event)).toEqual(['snapshot', 'end']);
    expect((await follow(other, id, { lastEventId: '4' })).frames.map((frame) => frame.event)).toEqual(['end']);
    expect((await follow(other, id, { lastEventId: '3' })).frames.map((frame) => frame.event)).toEqual([
      'state',
      'end',
    ]);
    expect((await api.call('GET', '/v1/executions/00000000-0000-7000-8000-000000000000/stream')).status).toBe(404);
  });

  it('tells log lines when asked', async () => {
    const id = await start();
    await api.database.pool.query(
      `insert into log_line (execution_id, n, at, node, attempt, level, message) values ($1, 1, now(), 0, 1, 'info', 'hello')`,
      [id],
    );
    await settle(api.database, id, 'failed');
    const { frames } = await follow(api, id, { logs: true });
    expect(frames.find((frame) => frame.event === 'log')).toMatchObject({
      data: { n: 1, message: 'hello', nodeId: 'fan', level: 'info' },
    });
    expect((await follow(api, id)).frames.some((frame) => frame.event === 'log')).toBe(false);
    expect((await api.call('GET', `/v1/executions/${id}/logs`)).json.items).toHaveLength(1);
    expect((await api.call('GET', `/v1/executions/${id}/logs?after=1`)).json.items).toHaveLength(0);
  });

  it('lets a hundred callers wait for one settling with two connections', async () => {
    const id = await start();
    const waiting = Array.from({ length: 100 }, (_, i) =>
      begun((i % 2 ? api : other).call('GET', `/v1/executions/${id}?wait=30s`)),
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await api.call('GET', '/v1/pipelines')).status).toBe(200);
    await settle(api.database, id, 'succeeded');
    await api.bus.signal(SETTLED_TOPIC, { ids: [id] });
    const replies = await Promise.all(waiting);
    expect(replies.every((reply) => reply.json.state === 'SUCCEEDED')).toBe(true);
    expect((await api.call('GET', `/v1/executions/${id}?wait=61s`)).status).toBe(400);
    expect((await api.call('GET', `/v1/executions/${await start()}?wait=200ms`)).json.state).toBe('PENDING');
  });

  it('a process that ends lets everybody go at once: streams resume elsewhere, waits are answered', async () => {
    const ending = await api.replica();
    const id = await start();
    const streaming = begun(follow(ending, id));
    const waiting = begun(ending.call('GET', `/v1/executions/${id}?wait=60s`));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const startedAt = performance.now();
    await ending.close();
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect((await waiting).json.state).toBe('PENDING');
    const { frames } = await streaming;
    expect(frames.map((frame) => frame.event)).not.toContain('end');
    await settle(api.database, id, 'succeeded');
    const resumed = await follow(other, id, { lastEventId: frames[0]!.id });
    expect(resumed.frames.map((frame) => frame.event)).toEqual(['state', 'end']);
  });
});
