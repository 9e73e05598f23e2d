import { modes } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { fanOut, quickRetry } from '../support/fan-out.js';
import { Gate } from '../support/gate.js';
import { inModes } from '../support/in-every-mode.js';

const rows = Array.from({ length: 40 }, (_, n) => n);
const csvOf = (numbers: readonly number[]): string =>
  `n,note\r\n${numbers.map((n) => `${n},"=SUM(A${n}), ""quoted"""`).join('\r\n')}\r\n`;
const itemOf = (body: string): { n: string; note: string } => JSON.parse(body) as { n: string; note: string };

inModes(modes, 'a redrive', (stage) => {
  it('counts and takes what state, class, fingerprint and items choose together, and only that', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const gate = new Gate();
    let isBroken = true;
    sink.answer(async ({ body }) => {
      const n = Number(itemOf(body).n);
      if (n >= 38 && isBroken) await gate.pass();
      if (!isBroken || n % 4 === 0) return {};
      return { status: n >= 38 ? 200 : [0, 400, 404, 500][n % 4]! };
    });
    const name = stage.name();
    const dataset = await api.upload(name, 'csv', csvOf(rows));
    await api.publish(
      fanOut(name, sink.url, {
        spawner: { items: { dataset: '${input.dataset}' } },
        node: { retry: { ...quickRetry(1) } },
        merge: { tolerateChildFailures: ['FAILED', 'CANCELLED'] },
      }),
    );
    const { id } = await api.start(name, { dataset: dataset.id });
    await eventually(() => expect(gate.held).toBe(2));
    const children = await api.children(id);
    for (const n of [38, 39]) await api.act(children[n]!.id, 'cancel');
    gate.open();
    const done = await api.settled(id);
    expect(done).toMatchObject({
      state: 'SUCCEEDED',
      fanOuts: [{ succeeded: 10, failed: 28, cancelled: 2, round: 1 }],
    });
    const groups = await api.need(200, 'GET', `/v1/executions/${id}/failures`);
    const of = (status: number): string =>
      groups.items.find((group: { status: number }) => group.status === status).fingerprint;
    const counted: [object, number][] = [
      [{}, 28],
      [{ state: ['CANCELLED'] }, 2],
      [{ state: ['FAILED', 'CANCELLED'] }, 30],
      [{ class: 'PERMANENT' }, 19],
      [{ class: 'TRANSIENT' }, 9],
      [{ class: 'TIMEOUT' }, 0],
      [{ fingerprint: of(400) }, 10],
      [{ fingerprint: of(404), class: 'PERMANENT' }, 9],
      [{ fingerprint: of(404), class: 'TRANSIENT' }, 0],
      [{ itemIndexes: [1, 2, 3, 4, 38] }, 3],
      [{ itemIndexes: [1, 2, 3, 4, 38], state: ['FAILED', 'CANCELLED'], node: 'fan' }, 4],
      [{ itemIndexes: [1, 2, 3], class: 'TRANSIENT', node: 'join' }, 1],
      [{ itemIndexes: [1, 5], fingerprint: of(400), class: 'PERMANENT', state: ['FAILED'] }, 2],
    ];
    for (const [filter, matched] of counted)
      expect({ filter, ...(await api.redrive(id, { ...filter, dryRun: true })) }).toEqual({
        filter,
        matched,
        redriven: 0,
      });
    expect(await api.execution(id)).toEqual(done);
    for (const body of [{ node: 'nobody' }, { node: 'nobody', dryRun: true }])
      expect(await api.call('POST', `/v1/executions/${id}/redrive`, body)).toMatchObject({
        status: 404,
        json: { code: 'FAN_OUT.NOT_FOUND' },
      });
    isBroken = false;
    const before = sink.calls.length;
    expect(await api.redrive(id, { itemIndexes: [1, 3, 38], state: ['FAILED', 'CANCELLED'] })).toMatchObject({
      matched: 3,
      redriven: 3,
    });
    await eventually(async () =>
      expect((await api.execution(id)).fanOuts[0]).toMatchObject({ succeeded: 13, failed: 26, cancelled: 1 }),
    );
    expect(
      sink.calls
        .slice(before)
        .map(({ body }) => Number(itemOf(body).n))
        .sort((a, b) => a - b),
    ).toEqual([1, 3, 38]);
  });

  it('by hand: what failed is exported, edited and uploaded again, and only those rows run', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    sink.answer(({ body }) => ({ status: [3, 7].includes(Number(itemOf(body).n)) ? 400 : 200 }));
    const name = stage.name();
    await api.publish(fanOut(name, sink.url, { spawner: { items: { dataset: '${input.dataset}' } } }));
    const dataset = await api.upload(name, 'csv', csvOf(rows));
    const failed = await api.run(name, { dataset: dataset.id });
    expect(failed).toMatchObject({ state: 'FAILED', fanOuts: [{ succeeded: 38, failed: 2 }] });
    const { text } = await api.call('GET', `/v1/executions/${failed.id}/failed-items`);
    const [header, ...exported] = text.trimEnd().split('\r\n');
    expect(header).toMatch(/^n,note,.+,.+,.+$/);
    expect(exported).toHaveLength(2);
    const edited = text.replace(/^7,/m, '107,');
    const again = await api.upload(`${name}-again`, 'csv', edited);
    expect(again).toMatchObject({ itemCount: 2, columns: ['n', 'note'] });
    sink.answer(() => ({}));
    const from = sink.calls.length;
    expect(await api.run(name, { dataset: again.id })).toMatchObject({
      state: 'SUCCEEDED',
      fanOuts: [{ succeeded: 2 }],
    });
    const sent = sink.calls.slice(from).map(({ body }) => itemOf(body));
    expect(sent.sort((a, b) => Number(a.n) - Number(b.n))).toEqual([
      { n: '3', note: '=SUM(A3), "quoted"' },
      { n: '107', note: '=SUM(A7), "quoted"' },
    ]);
  });
});
