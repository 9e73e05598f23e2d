import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sink } from '../../support/sink.js';
import { errorOf, outputOf, Performing } from './performing.js';

const token = 'tok"en/with=signs&more';

describe('a secret', () => {
  let performing: Performing;
  let sink: Sink;
  let folder: string;
  beforeAll(async () => {
    performing = await Performing.start();
    sink = await Sink.start();
    folder = mkdtempSync(join(tmpdir(), 'fanfold-secrets-'));
  });
  beforeEach(() => {
    performing.configure({ secrets: { TOKEN: token }, secretsDir: folder });
    performing.lines.length = 0;
    sink.reset();
    sink.answer(() => ({}));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await sink.close();
    await performing.stop();
  });
  const call = (headers: Record<string, string> = { authorization: 'Bearer ${secrets.TOKEN}' }) =>
    performing.http({
      url: `${sink.url}/\${secrets.TOKEN}`,
      method: 'POST',
      headers,
      body: { token: '${secrets.TOKEN}' },
    });
  const hides = (text: string) => {
    for (const form of [token, JSON.stringify(token).slice(1, -1), encodeURIComponent(token)])
      expect(text).not.toContain(form);
    expect(text).toContain('[secret TOKEN]');
  };

  it('goes out in URL, headers and body', async () => {
    await call();
    expect(sink.calls[0]).toMatchObject({
      body: JSON.stringify({ token }),
      headers: { authorization: `Bearer ${token}` },
    });
  });

  it('is taken out of an answer that repeats it, which stays JSON', async () => {
    sink.answer(({ headers, body, path }) => ({
      headers: { 'x-echo': headers.authorization! },
      body: JSON.stringify({ authorization: headers.authorization, body, path, id: 7, [token]: true }),
    }));
    const output = outputOf(await call());
    hides(output);
    expect(JSON.parse(output)).toMatchObject({ status: 200, body: { authorization: 'Bearer [secret TOKEN]', id: 7 } });
  });

  it.each([400, 500, 429])(
    'is taken out of the excerpt of an answer %i, also where the excerpt ends within it',
    async (status) => {
      sink.answer(({ headers }) => ({ status, body: `${'x'.repeat(1_010)}${headers.authorization}` }));
      const error = JSON.stringify(errorOf(await call()));
      expect(error).not.toContain('tok\\"en');
      expect(error).toContain('[sec');
    },
  );

  it('stands in no message when the call fails', async () => {
    performing.configure({ secrets: { TOKEN: 'host-secret.invalid' } });
    const outcome = await performing.http({ url: 'http://${secrets.TOKEN}/' });
    expect(JSON.stringify(outcome)).not.toContain('host-secret');
    performing.configure({ secrets: { TOKEN: 'user:hunter2@host' } });
    expect(JSON.stringify(await performing.http({ url: 'http://${secrets.TOKEN}/' }))).not.toContain('hunter2');
    performing.configure({ secrets: { TOKEN: 'bad\nvalue' } });
    expect(JSON.stringify(await performing.http({ url: sink.url, headers: { a: '${secrets.TOKEN}' } }))).not.toContain(
      'value"',
    );
  });

  it('reaches a process in its environment and is taken out of its output, its log and its last words', async () => {
    const env = { TOKEN: '${secrets.TOKEN}' };
    const node = {
      type: 'SHELL',
      config: { command: ['sh', '-c', 'echo "$TOKEN" >&2; echo "got $TOKEN"; exit $0', '0'], env },
    };
    hides(outputOf(await performing.perform(node)));
    hides(JSON.stringify(performing.lines));
    const failing = { type: 'SHELL', config: { ...node.config, command: [...node.config.command.slice(0, 3), '9'] } };
    hides(JSON.stringify(errorOf(await performing.perform(failing))));
  });

  it('is read from its file at each attempt, without the last line break', async () => {
    writeFileSync(join(folder, 'ROTATED'), 'first-value\n');
    await call({ 'x-key': '${secrets.ROTATED}' });
    writeFileSync(join(folder, 'ROTATED'), 'second-value\r\n');
    await call({ 'x-key': '${secrets.ROTATED}' });
    expect(sink.calls.map((c) => c.headers['x-key'])).toEqual(['first-value', 'second-value']);
  });

  it('that is not there keeps the task waiting, uncharged, and is named', async () => {
    const outcome = await call({ authorization: '${secrets.MISSING}' });
    expect(outcome).toMatchObject({
      kind: 'snoozed',
      waitMs: 5_000,
      error: { code: 'SECRET.MISSING', reason: 'MISSING_SECRET', secret: 'MISSING' },
    });
    expect(sink.calls).toHaveLength(0);
  });

  it('cannot be a file outside the folder, nor a property of an object', async () => {
    writeFileSync(join(folder, '..', 'fanfold-outside-secret'), 'outside');
    symlinkSync(tmpdir(), join(folder, 'linked'));
    try {
      for (const name of ['constructor', '__proto__', 'toString', 'linked'])
        expect(await call({ a: `\${secrets.${name}}` })).toMatchObject({ error: { code: 'SECRET.MISSING' } });
    } finally {
      rmSync(join(folder, '..', 'fanfold-outside-secret'));
    }
  });
});
