import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { inEveryMode } from '../support/in-every-mode.js';

type Json = Record<string, unknown>;
interface Call {
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: Json }> }>;
}

/** No member that the document does not name, so that one it leaves out is found too. */
const closed = (schema: unknown): unknown => {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed);
  const members = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]));
  const isOpen = members.type === 'object' && members.properties && members.additionalProperties === undefined;
  return isOpen ? { ...members, additionalProperties: false } : members;
};

inEveryMode('the document says what the engine answers', (stage) => {
  it('to every read, and to every refusal', async () => {
    const { api } = stage.engine;
    const name = stage.name();
    stage.sink.answer(({ body }) => ({ status: body.includes('1') ? 422 : 200 }));
    await api.publish(fanOut(name, stage.sink.url, { merge: { tolerateChildFailures: ['FAILED'] } }));
    await api.upload(name, 'csv', 'a,b\n1,2\n');
    const dataset = await api.upload(name, 'json', '[{"a": 12345678901234567890}]');
    await api.limit(name, { maxConcurrency: 3, rate: { limit: 1_000, per: '1s' } });
    await api.need(201, 'POST', '/v1/schedules', { name, pipeline: name, cron: '0 3 * * *' });
    await api.need(200, 'PUT', `/v1/quotas/${name}`, { maxOpenExecutions: 1_000 });
    const { id } = await api.run(name, { items: numbers(3) });
    const [child] = await api.children(id, 'state=FAILED');

    const document = (await api.need(200, 'GET', '/docs-json')) as {
      paths: Record<string, Record<string, Call>>;
      components: { schemas: Json };
    };
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    ajv.addSchema({ $id: 'document', components: closed(document.components) as AnySchema });
    const wrong: unknown[] = [];
    const check = async (template: string, values: Record<string, string>, query = '') => {
      const path = template.replaceAll(/\{(\w+)\}/g, (_all, part: string) => values[part] ?? name) + query;
      const reply = await api.call('GET', path);
      const { responses } = document.paths[template]!.get!;
      const answered = responses[String(reply.status)] ?? responses.default!;
      const [schema] = Object.values(answered.content!).map((content) => content.schema);
      const local = JSON.parse(
        JSON.stringify(closed(schema)).replaceAll('"#/components', '"document#/components'),
      ) as AnySchema;
      if (!ajv.validate(local, reply.json)) wrong.push({ path, status: reply.status, errors: ajv.errors });
      return reply.status;
    };
    const reads = Object.keys(document.paths).filter(
      (path) => path.startsWith('/v1/') && document.paths[path]!.get && !/stream|results|failed-items/.test(path),
    );
    expect(reads.length).toBeGreaterThan(25);
    for (const template of reads) {
      const ofDataset = template.includes('/datasets/');
      const statuses = [await check(template, { id: ofDataset ? dataset.id : id, version: '1' })];
      if (template.startsWith('/v1/executions/{id}')) statuses.push(await check(template, { id: child!.id }));
      const mayMiss = ['/v1/triggers/{name}', '/v1/triggers/{name}/refused'].includes(template);
      expect({ template, statuses, ok: mayMiss || statuses.every((status) => status === 200) }).toMatchObject({
        ok: true,
      });
    }
    await check('/v1/executions', {}, '?include=input,output');
    expect(await check('/v1/executions/{id}', { id: 'nobody' })).toBeGreaterThanOrEqual(400);
    expect(wrong).toEqual([]);
    await api.need(202, 'DELETE', `/v1/schedules/${name}`);
    await api.need(202, 'DELETE', `/v1/quotas/${name}`);
    await api.need(202, 'DELETE', `/v1/destinations/${name}`);
  });
});
