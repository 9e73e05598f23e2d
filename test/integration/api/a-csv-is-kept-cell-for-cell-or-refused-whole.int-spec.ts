import { gzipSync } from 'node:zlib';
import { apiUnderTest, type ApiUnderTest } from './api-under-test.js';

describe('a CSV is kept cell for cell, or refused whole', () => {
  let api: ApiUnderTest;
  beforeAll(async () => {
    api = await apiUnderTest();
  });
  afterAll(() => api.close());

  const upload = (body: string | Buffer, query = '', headers: Record<string, string> = {}) =>
    api.call('POST', `/v1/datasets?name=cells&format=csv${query}`, body, { 'content-type': 'text/csv', ...headers });
  const itemsOf = async (id: string) => {
    const items: unknown[] = [];
    for (let cursor = ''; ;) {
      const page = await api.call('GET', `/v1/datasets/${id}/items?limit=1000${cursor}`);
      items.push(...page.json.items);
      if (page.json.nextCursor === null) return items;
      cursor = `&cursor=${page.json.nextCursor}`;
    }
  };
  const rowsOf = async (body: string | Buffer, query = '') => {
    const reply = await upload(body, query);
    expect([reply.status, reply.status === 201 ? '' : reply.text]).toEqual([201, '']);
    return { ...reply.json, items: await itemsOf(reply.json.id) };
  };

  it('with quotes, line breaks, tabs and a byte-order mark', async () => {
    const { columns, itemCount, items } = await rowsOf(
      '\ufeff"id",name,note\r\n00123,"Smith, J.","two\r\nlines"\r\n1e5,"says ""hi""",\r\n2512292042121000001, spaced ,"tab\there"\r\nTRUE,Ünïcødé 🚀,=1+2\r\n',
    );
    expect([columns, itemCount]).toEqual([['id', 'name', 'note'], 4]);
    expect(items).toEqual([
      { id: '00123', name: 'Smith, J.', note: 'two\r\nlines' },
      { id: '1e5', name: 'says "hi"', note: '' },
      { id: '2512292042121000001', name: ' spaced ', note: 'tab\there' },
      { id: 'TRUE', name: 'Ünïcødé 🚀', note: '=1+2' },
    ]);
  });

  it('with LF, CRLF and CR endings, blank lines, no final newline, a quote inside an unquoted cell', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const { items } = await rowsOf(['a,b', '1,x"y', '', '2,"q"', ''].join(end));
      expect(items).toEqual([
        { a: '1', b: 'x"y' },
        { a: '2', b: 'q' },
      ]);
      expect((await rowsOf(['a,b', '1,2'].join(end))).itemCount).toBe(1);
    }
    expect((await rowsOf('a,b\n')).itemCount).toBe(0);
    expect((await rowsOf('a;b\n1,5;2\n', '&separator=;')).items).toEqual([{ a: '1,5', b: '2' }]);
    expect((await rowsOf('a\tb\n1\t2\n', '&separator=tab')).items).toEqual([{ a: '1', b: '2' }]);
    expect((await rowsOf('a,b\n\\,"\u0000\\"\n')).items).toEqual([{ a: '\\', b: '\u0000\\' }]);
  });

  it('in UTF-16 of either order, with a mark in the middle kept as text', async () => {
    const text = 'id,name\n1,Ü🚀\n2,\ufeffx\n';
    const le = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    const be = Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]);
    for (const body of [le, be]) {
      const { columns, items } = await rowsOf(body);
      expect(columns).toEqual(['id', 'name']);
      expect(items).toEqual([
        { id: '1', name: 'Ü🚀' },
        { id: '2', name: '\ufeffx' },
      ]);
    }
  });

  it('however the bytes arrive, packed or not', async () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => ({ id: String(i), note: i % 7 ? `Ünïcødé "${i}"\n🚀` : '' }));
    const csv = `id,note\n${rows.map((row) => `${row.id},"${row.note.replaceAll('"', '""')}"`).join('\n')}`;
    const { items, itemCount, bytes, sha256 } = await rowsOf(csv);
    expect([itemCount, bytes]).toEqual([30_000, Buffer.byteLength(csv)]);
    expect(items).toEqual(rows);
    const packed = await upload(gzipSync(csv), '', { 'content-encoding': 'gzip' });
    const sniffed = await upload(gzipSync(csv));
    expect([packed.json.sha256, sniffed.json.sha256]).toEqual([sha256, sha256]);
    expect(await itemsOf(sniffed.json.id)).toEqual(rows);
  });

  it('or not at all, where the packing is broken anywhere', async () => {
    const whole = gzipSync('id,note\n1,a\n2,b\n');
    expect((await upload(Buffer.from('hello'), '', { 'content-encoding': 'gzip' })).status).toBe(400);
    const broken = [whole.subarray(0, 30), Buffer.concat([whole, Buffer.from('junk')])];
    broken.push(Buffer.concat([whole.subarray(0, -8), Buffer.alloc(8)]));
    for (const bytes of broken)
      for (const headers of [{ 'content-encoding': 'gzip' }, {}] as Record<string, string>[]) {
        const reply = await upload(bytes, '', headers);
        expect(reply.status).toBeGreaterThanOrEqual(400);
        expect(reply.status).toBeLessThan(500);
        expect(reply.json.code).toEqual(expect.any(String));
      }
    expect((await upload(whole)).status).toBe(201);
  });

  it.each([
    ['a ragged row', 'a,b\n1,2\n3\n', 'DATASET.RAGGED_ROW', 'row 3, column 2'],
    ['a row that is too long', 'a,b\n1,2,3\n', 'DATASET.RAGGED_ROW', 'row 2, column 3'],
    ['a duplicate header', 'a,b,a\n1,2,3\n', 'DATASET.DUPLICATE_HEADER', 'row 1, column 3'],
    ['an unterminated quote', 'a,b\n1,"open\n2,3\n', 'DATASET.UNTERMINATED_QUOTE', 'row 2, column 2'],
    [
      'an unterminated quote in a large file',
      `a,b\n1,"open\n${'2,3\n'.repeat(300_000)}`,
      'DATASET.UNTERMINATED_QUOTE',
      'row 2',
    ],
    ['text after a quote', 'a,b\n"x"y,2\n', 'DATASET.BAD_QUOTE', 'row 2, column 1'],
    ['undecodable bytes', Buffer.from([0x61, 0x0a, 0xff, 0xfe, 0x0a]), 'DATASET.UNDECODABLE', 'row 2, column 1'],
    ['Windows-1252', Buffer.from('a,b\n1,2\nx,M\xfcller\n', 'latin1'), 'DATASET.UNDECODABLE', 'row 3, column 2'],
    ['a truncated character', Buffer.from('a\nx\xc3', 'latin1'), 'DATASET.UNDECODABLE', 'row 2'],
    ['an odd number of UTF-16 bytes', Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x0a]), 'DATASET.UNDECODABLE', 'row'],
    ['nothing', '', 'DATASET.NO_HEADER', 'row 1'],
  ])('is refused for %s, with row and column, and nothing is kept', async (_, body, code, place) => {
    const reply = await upload(body as string);
    expect([reply.status, reply.json.code]).toEqual([422, code]);
    expect(reply.json.detail).toContain(place);
    const { rows } = await api.database.pool.query('select from dataset where not complete');
    expect(rows).toHaveLength(0);
  });

  it('takes NDJSON and JSON item by item, as exact text', async () => {
    const texts = [
      '{"id":9007199254740993}',
      '1e400',
      '"\\u0000\\ud800"',
      '{"b":1.0,"a":-0}',
      '[1,[2,{"]":"}"}]]',
      'null',
    ];
    const ndjson = await api.call('POST', '/v1/datasets?name=n&format=ndjson', `\ufeff${texts.join('\n\n')}\r\n`);
    const json = await api.call('POST', '/v1/datasets?name=j&format=json', ` [ ${texts.join(' ,\n ')} ]\n`);
    for (const { json: dataset } of [ndjson, json]) {
      expect(dataset).toMatchObject({ itemCount: texts.length, columns: null });
      expect((await api.call('GET', `/v1/datasets/${dataset.id}/items`)).text).toContain(`[${texts.join(',')}]`);
    }
    for (const [format, body] of [
      ['ndjson', '1\n{\n'],
      ['json', '{}'],
      ['json', '[1,]'],
      ['json', '[1'],
      ['json', '[1] 2'],
      ['json', '[1 2]'],
      ['json', '[}'],
      ['json', ''],
      ['json', `["${'x'.repeat(300_000)}"]`],
      ['ndjson', `"${'x'.repeat(300_000)}"`],
    ] as const)
      expect([body.slice(0, 9), (await api.call('POST', `/v1/datasets?name=x&format=${format}`, body)).status]).toEqual(
        [body.slice(0, 9), 422],
      );
    expect((await api.call('POST', '/v1/datasets?name=e&format=json', '[]')).json.itemCount).toBe(0);
    expect((await api.call('GET', '/v1/datasets?name=x')).json.items).toEqual([]);
  });

  it('is not deleted while an execution refers to it', async () => {
    const { id } = (await upload('a\n1\n')).json;
    await api.database.pool.query('insert into dataset_use values ($1, $1)', [id]);
    expect((await api.call('DELETE', `/v1/datasets/${id}`)).json.code).toBe('DATASET.IN_USE');
    await api.database.pool.query('delete from dataset_use');
    expect((await api.call('DELETE', `/v1/datasets/${id}`)).status).toBe(202);
    expect((await api.call('GET', `/v1/datasets/${id}`)).status).toBe(404);
  });
});
