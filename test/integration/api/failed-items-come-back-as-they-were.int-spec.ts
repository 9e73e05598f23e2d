import { apiUnderTest, fanOutDefinition, type ApiUnderTest } from './api-under-test.js';
import { seedFanOut } from './seeded-fan-out.js';

describe('failed items come back as they were', () => {
  let api: ApiUnderTest;
  beforeAll(async () => {
    api = await apiUnderTest();
    await api.call('POST', '/v1/pipelines', fanOutDefinition('items'));
  });
  afterAll(() => api.close());

  const error = JSON.stringify({ class: 'PERMANENT', code: 'HTTP.STATUS', message: '=cmd|"x"\n,y' });
  const exported = async (format: string, body: string, query = '') => {
    const dataset = (await api.call('POST', `/v1/datasets?name=up&format=${format}${query}`, body)).json;
    const items: unknown[] = (await api.call('GET', `/v1/datasets/${dataset.id}/items?limit=1000`)).json.items;
    const { id } = (await api.call('POST', '/v1/pipelines/items/executions', {})).json;
    const children = items.map((item) => ({ state: 'failed' as const, item: JSON.stringify(item), error }));
    await seedFanOut(api.database, id, [...children, { state: 'succeeded', item: '{}', output: '1' }], dataset.id);
    return { items, reply: await api.call('GET', `/v1/executions/${id}/failed-items`) };
  };
  const reuploaded = async (format: string, text: string, query = '') => {
    const dataset = (await api.call('POST', `/v1/datasets?name=again&format=${format}${query}`, text)).json;
    return { dataset, items: (await api.call('GET', `/v1/datasets/${dataset.id}/items?limit=1000`)).json.items };
  };

  it('as CSV that no spreadsheet takes for formulas, and that restores every cell', async () => {
    const cells = [
      '=1+2',
      '+49 30 123',
      '-cmd',
      '@sum',
      '\ttab',
      '\rcr',
      "'quoted",
      "'=x",
      '-12.5',
      '42',
      '0042',
      '-0',
      'a,b',
      'two\nlines',
      '"q"',
      '',
      '1e5',
      '-1.5e-3',
    ];
    const csv = `=head,"note"\n${cells.map((cell) => `"${cell.replaceAll('"', '""')}",n`).join('\n')}\n`;
    const { items, reply } = await exported('csv', csv);
    expect(reply.headers.get('content-type')).toContain('text/csv');
    const first = reply.text.split('\r\n').map((line) => line.split(',')[0]);
    expect(first).toContain("'=1+2");
    expect(first).toContain("'+49 30 123");
    expect(first).toContain('-12.5');
    expect(first[0]).toBe("'=head");
    expect(reply.text).not.toMatch(/(^|[\r\n,])"?[=@]/);
    const { dataset, items: restored } = await reuploaded('csv', reply.text);
    expect(dataset.columns).toEqual(['=head', 'note']);
    expect(restored).toEqual(items);
  });

  it('with the separator it came with', async () => {
    const { items, reply } = await exported('csv', 'a;b\n1,5;x\n;\n', '&separator=;');
    expect((await reuploaded('csv', reply.text, '&separator=;')).items).toEqual(items);
  });

  it('as NDJSON or JSON, exact', async () => {
    const texts = '{"id":9007199254740993}\n{"v":1.0}\n';
    const ndjson = await exported('ndjson', texts);
    expect(ndjson.reply.status).toBe(200);
    const json = await exported('json', '[{"v":1},[2]]');
    expect(JSON.parse(json.reply.text)).toEqual([{ v: 1 }, [2]]);
  });
});
