import { parsePipeline } from './parse-pipeline.js';

const publish = (notify: unknown) =>
  parsePipeline(JSON.stringify({ name: 'p', nodes: [{ id: 'a', type: 'TRANSFORM', config: { output: 1 } }], notify }));
const defects = (notify: unknown) => {
  const parsed = publish(notify);
  return parsed.ok ? [] : parsed.defects.map(({ path, message }) => `${path}: ${message}`);
};

const hook = (headers: object) => [{ on: ['FAILED'], url: 'http://a/', headers }];

describe('notify of a pipeline', () => {
  it('is read with its templates', () => {
    const parsed = publish([
      {
        on: ['FAILED', 'DEFERRED'],
        url: 'https://${input.host}/x?t=${secrets.T}',
        headers: { authorization: 'Bearer ${secrets.T}', run: '${execution.id}', team: '${labels.team}' },
      },
    ]);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.defects));
    expect(parsed.plan.notify).toMatchObject([
      { index: 0, on: ['FAILED', 'DEFERRED'], config: { method: 'POST', redirects: 0, host: null } },
    ]);
    const without = publish(undefined);
    expect(without.ok && without.plan.notify).toEqual([]);
  });

  it.each([
    ['no list', { on: [] }, /^notify: must be a list/],
    ['no object', ['x'], /^notify\[0\]: must be an object/],
    ['an unknown outcome', [{ on: ['DONE'], url: 'http://a/' }], /^notify\[0\]\.on\[0\]: must be one of SUCCEEDED/],
    ['no outcome', [{ on: [], url: 'http://a/' }], /^notify\[0\]\.on: must name at least one/],
    [
      'an outcome twice',
      [{ on: ['FAILED', 'FAILED'], url: 'http://a/' }],
      /^notify\[0\]\.on\[1\]: FAILED is given twice/,
    ],
    ['no url', [{ on: ['FAILED'] }], /^notify\[0\]\.url: is required/],
    ['a bad url', [{ on: ['FAILED'], url: 'ftp://a/' }], /^notify\[0\]\.url: must start with http/],
    ['credentials', [{ on: ['FAILED'], url: 'http://u:p@a/' }], /^notify\[0\]\.url: must not hold credentials/],
    ['a broken template', [{ on: ['FAILED'], url: 'http://a/${input.' }], /^notify\[0\]\.url: /],
    ['a name out of scope', [{ on: ['FAILED'], url: 'http://a/${item.x}' }], /^notify\[0\]\.url: .*item/],
    ['a secret elsewhere', [{ on: ['${secrets.X}'], url: 'http://a/' }], /^notify\[0\]\.on\[0\]: /],
    ['a bad header', [{ on: ['FAILED'], url: 'http://a/', headers: { 'a b': 1 } }], /^notify\[0\]\.headers\["a b"\]: /],
    [
      'a header of the connection',
      hook({ 'Content-Length': 5 }),
      /^notify\[0\]\.headers\["Content-Length"\]: .*connection/,
    ],
    ['a line break in a header', hook({ a: 'x\r\nb: y' }), /^notify\[0\]\.headers\.a: holds a line break/],
    ['a header in Greek', hook({ a: 'λ${labels.x}' }), /^notify\[0\]\.headers\.a: holds a line break or another/],
    ['a port that is none', [{ on: ['FAILED'], url: 'http://a:70000/x' }], /^notify\[0\]\.url: must name a host/],
    ['an unknown field', [{ on: ['FAILED'], url: 'http://a/', body: {} }], /^notify\[0\]\.body: unknown field/],
    ['too many', Array(17).fill({ on: ['FAILED'], url: 'http://a/' }), /^notify: must have at most 16/],
  ])('with %s is refused with its path', (_, notify, defect) => {
    const found = defects(notify);
    expect(found).toEqual([expect.stringMatching(defect)]);
  });

  it('is refused with all its defects at once', () => {
    expect(defects([{ on: ['X'], url: 'ftp://a/' }, { url: 'http://a/${' }])).toHaveLength(4);
  });
});
