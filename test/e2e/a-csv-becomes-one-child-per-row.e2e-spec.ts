import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { fanOut } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';

inEveryMode('a CSV', (stage) => {
  it('becomes one child per row, and every cell arrives as the text it is', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    const csv = readFileSync('node_modules/vega-datasets/data/airports.csv');
    const rows = parse(csv, { columns: true, bom: true }) as Record<string, string>[];
    const name = stage.name();
    await api.publish(
      fanOut(name, sink.url, {
        spawner: { items: { dataset: '${input.dataset}' }, itemKey: '${item.iata}' },
      }),
    );
    const dataset = await api.upload('airports', 'csv', csv);
    expect(dataset).toMatchObject({ itemCount: rows.length, columns: Object.keys(rows[0]!) });
    const done = await api.run(name, { dataset: dataset.id });
    expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ total: rows.length, succeeded: rows.length }] });
    const sent = sink.calls.map(({ body }) => JSON.parse(body) as Record<string, string>);
    const byCode = (a: Record<string, string>, b: Record<string, string>) => (a.iata! < b.iata! ? -1 : 1);
    expect(sent.sort(byCode)).toEqual([...rows].sort(byCode));
    const children = await api.children(done.id);
    expect(children.map(({ itemKey }) => itemKey)).toEqual(rows.map(({ iata }) => iata));
  });
});
