import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { Service } from './process.js';
import { Sink } from './sink.js';

describe('a service under test', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fanfold-support-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const script = (text: string): string => {
    const path = join(folder, 'main.mjs');
    writeFileSync(path, text);
    return path;
  };
  const listening = `
    import { createServer } from 'node:http';
    const server = createServer((_, response) => response.end(process.env.WORD)).listen(0, '127.0.0.1', () => console.log(server.address().port));
    process.on('SIGTERM', () => process.exit(0));`;

  it('is started with its own environment only, frozen, resumed, stopped, and its output kept', async () => {
    process.env.SHELL_LEFTOVER = '1';
    const service = await Service.start({ app: script(listening), env: { WORD: 'hello' }, readyUrl: null });
    const port = await eventually(() => Number(service.log.trim()) || false);
    const ask = () => fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(300) }).then((r) => r.text());
    expect(await ask()).toBe('hello');
    service.freeze();
    await expect(ask()).rejects.toThrow();
    service.resume();
    await eventually(async () => (await ask()) === 'hello');
    expect(await service.stop()).toBe(0);
    expect(service.running).toBe(false);
  });

  it('that never gets ready fails with what it wrote', async () => {
    const starting = Service.start({
      app: script(`console.error('no database'); setTimeout(() => {}, 10_000)`),
      env: { PORT: '1' },
      readyTimeoutMs: 700,
    });
    await expect(starting).rejects.toThrow('no database');
  });
});

describe('a sink', () => {
  it('records calls, answers as told, and counts what is open', async () => {
    const sink = await Sink.start(() => ({ delayMs: 50 }));
    try {
      const call = (key: string) =>
        fetch(`${sink.url}/x`, { method: 'POST', body: '{"n":9007199254740993}', headers: { 'idempotency-key': key } });
      await Promise.all([call('a'), call('a'), call('b')]);
      expect(sink.mostInFlight).toBe(3);
      await eventually(() => expect(sink.inFlight).toBe(0));
      expect(sink.calls[0]).toMatchObject({ method: 'POST', path: '/x', body: '{"n":9007199254740993}' });
      expect(Object.fromEntries(sink.callsByKey())).toEqual({ a: 2, b: 1 });
      sink.answer((_, index) => (index === 3 ? { status: 429, headers: { 'retry-after': '1' } } : { drop: true }));
      expect((await call('c')).status).toBe(429);
      await expect(call('d')).rejects.toThrow();
    } finally {
      await sink.close();
    }
  });
});
