import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FanfoldClient } from '@fanfold/sdk';
import { runInMemory } from '@fanfold/sdk/testing';
import { transformFileSync } from '@swc/core';
import { letters, write } from '../../examples/sdk/chained.js';
import { convert } from '../../examples/sdk/file-conversion.js';
import { migrate } from '../../examples/sdk/ledger-rollout.js';
import { ask } from '../../examples/sdk/llm-batch.js';
import { exports as nightly, schedule } from '../../examples/sdk/nightly.js';
import { room } from '../support/engine-process.js';
import { eventually } from '../support/eventually.js';
import { inModes, type Stage } from '../support/in-every-mode.js';

const root = resolve(__dirname, '../..');

/** The handlers as an executor loads them: compiled, in a folder where `@fanfold/sdk` is installed. */
const compiledHandlers = (): string => {
  const folder = mkdtempSync(join(room(), 'handlers-'));
  const { code } = transformFileSync(join(root, 'examples/sdk/llm-handlers.ts'), {
    swcrc: false,
    module: { type: 'es6' },
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  });
  mkdirSync(join(folder, 'node_modules/@fanfold'), { recursive: true });
  symlinkSync(join(root, 'dist/libs/sdk/src'), join(folder, 'node_modules/@fanfold/sdk'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'handlers.js'), code);
  return join(folder, 'handlers.js');
};

const clientOf = ({ engine: { api } }: Stage) => new FanfoldClient({ url: api.url, apiKey: api.key });

inModes(
  ['standalone'],
  'the examples do what they say',
  (stage) => {
    it('a migration in stages stops where too much failed, and goes on when it is told to', async () => {
      const csv = readFileSync(join(root, 'examples/ledger/entries.csv'), 'utf8').split('\n').slice(0, 201).join('\n');
      const bad = new Set(
        csv
          .split('\n')
          .slice(1, 4)
          .map((row) => row.split(',')[0]),
      );
      const posted = new Set<string>();
      let before = 0;
      stage.sink.answer(({ body }) => {
        const { entry_id } = JSON.parse(body) as { entry_id: string };
        posted.add(entry_id);
        return { status: bad.has(entry_id) ? 422 : 200 };
      });
      const told: string[] = [];
      const decide = (why: string) => {
        told.push(why);
        before ||= posted.size;
        return true;
      };
      const done = await migrate(clientOf(stage), { csv, ledger: stage.sink.url, decide });
      // Three of the first ten are more than a tenth; of two hundred they are within the twentieth that the merge bears.
      expect(told[0]).toMatch(/3 of 10 released children/);
      expect(before).toBe(10);
      expect(done).toMatchObject({ state: 'SUCCEEDED', output: { total: 200, succeeded: 197, failed: 3 } });
    });

    it('a batch of prompts keeps to its requests and its tokens, and waits as long as the model asks', async () => {
      const times: { at: number; tokens: number }[] = [];
      let busy = true;
      stage.sink.answer(({ body, at }) => {
        const { prompt } = JSON.parse(body) as { prompt: string };
        if (prompt === 'bad') return { status: 400, body: 'no' };
        if (prompt === 'q3' && busy) {
          busy = false;
          return { status: 429, headers: { 'retry-after': '1' } };
        }
        times.push({ at, tokens: 50 });
        return { body: JSON.stringify({ text: prompt.toUpperCase(), tokens: 50 }) };
      });
      const questions = Array.from({ length: 12 }, (_, n) => ({
        id: `${n}`,
        text: n === 7 ? 'bad' : `q${n}`,
        tokens: 50,
      }));
      const lines = await ask(
        clientOf(stage),
        { url: stage.sink.url, model: 'small', questions },
        { requestsPerSecond: 10, tokensPerSecond: 200 },
      );
      expect(lines).toHaveLength(12);
      expect(lines[0]).toMatchObject({ key: '0', state: 'SUCCEEDED', output: { text: 'Q0', tokens: 50 } });
      expect(lines[7]).toMatchObject({ state: 'FAILED', error: { code: 'PROMPT.REFUSED' } });
      expect(lines.filter(({ state }) => state === 'SUCCEEDED')).toHaveLength(11);
      // 200 tokens a second are four prompts a second; between a claim and its call lie some milliseconds.
      for (const { at } of times)
        expect(times.filter((other) => other.at >= at && other.at < at + 900).length).toBeLessThanOrEqual(4);
    });

    it('a nightly fan-out is started by its schedule', async () => {
      const client = clientOf(stage);
      stage.sink.answer(({ path, body }) => {
        if (path === '/shops') return { body: '[{"id": "a"}, {"id": "b"}, {"id": "c"}]' };
        return { status: body.includes('"b"') ? 404 : 200 };
      });
      const name = stage.name();
      const made = await schedule(client, { name, cron: '* * * * * *', api: stage.sink.url });
      expect(made).toMatchObject({ pipeline: 'nightly-exports', overlap: 'SKIP', enabled: true });
      const started = await eventually(async () => {
        for await (const one of client.executions.list({ label: `schedule=${name}`, state: 'SUCCEEDED' })) return one;
        return false;
      });
      await client.call('delete', '/v1/schedules/{name}', { params: { path: { name } } });
      expect((await client.executions.get((started as { id: string }).id)).output).toEqual({ exported: 2, missing: 1 });

      const inMemory = await runInMemory(nightly, {
        input: { api: 'https://shops.example' },
        http: ({ url, body }) => {
          if (url.endsWith('/shops')) return { body: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] };
          return { status: (body as { shop: string }).shop === 'b' ? 404 : 200 };
        },
      });
      expect(inMemory).toMatchObject({ state: 'SUCCEEDED', output: { exported: 2, missing: 1 } });
    });

    it('files are converted by a program, whatever they are called', async () => {
      const folder = mkdtempSync(join(room(), 'files-'));
      const names = ['plain.txt', 'with space.txt', '$(touch pwned).txt', "it's.txt"];
      for (const name of names) writeFileSync(join(folder, name), `text of ${name.length}`);
      const files = [...names, 'missing.txt'].map((name) => ({
        from: join(folder, name),
        to: join(folder, `${name}.up`),
      }));
      const done = await convert(clientOf(stage), files);
      expect(done).toMatchObject({ state: 'SUCCEEDED', output: { succeeded: 4, failed: 1 } });
      for (const name of names) expect(readFileSync(join(folder, `${name}.up`), 'utf8')).toBe(`TEXT OF ${name.length}`);
      const { results } = done.output as { results: { output?: number; error?: { class: string } }[] };
      expect(results[0]).toMatchObject({ output: 'text of 9'.length });
      expect(results[4]!.error).toMatchObject({ class: expect.any(String) as unknown });
    });

    it('a second fan-out runs over what the first one brought, in an engine as in memory', async () => {
      const customers = [1, 2, 3, 4].map((id) => ({ id }));
      const scoreOf = (path: string) => {
        const customer = Number(path.slice('/scores/'.length));
        return customer === 3 ? { status: 404 } : { status: 200, score: { customer, score: customer * 100 } };
      };
      const sent: unknown[] = [];
      stage.sink.answer(({ path, body }) => {
        if (path === '/letters') {
          sent.push(JSON.parse(body));
          return {};
        }
        const { status, score } = scoreOf(path);
        return { status, body: JSON.stringify(score ?? {}) };
      });
      const done = await write(clientOf(stage), stage.sink.url, customers);
      expect(done).toMatchObject({ state: 'SUCCEEDED', output: { unknown: 1, letters: 3 } });
      expect(sent).toHaveLength(3);

      const inMemory = await runInMemory(letters, {
        input: { api: 'https://a.example', customers },
        http: ({ url }) => {
          const { pathname } = new URL(url);
          const { status, score } = pathname === '/letters' ? { status: 200, score: null } : scoreOf(pathname);
          return { status, body: score ?? null };
        },
      });
      expect({ state: inMemory.state, output: inMemory.output }).toEqual({ state: done.state, output: done.output });
    });
  },
  async () => ({ executorEnv: { FANFOLD_HANDLERS: compiledHandlers() } }),
);
