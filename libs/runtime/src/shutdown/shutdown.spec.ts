import { Shutdown } from './shutdown.js';

describe('a shutdown', () => {
  it('runs every step once, in order, also when one fails and it is asked twice', async () => {
    const ran: string[] = [];
    const shutdown = new Shutdown({ graceMs: 1_000 });
    shutdown
      .step('first', async () => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        ran.push(`first ${shutdown.draining}`);
      })
      .step('second', () => Promise.reject(new Error('broken')))
      .step('third', () => void ran.push('third'));
    expect(shutdown.draining).toBe(false);
    await Promise.all([shutdown.drain('SIGTERM'), shutdown.drain('SIGTERM')]);
    expect(ran).toEqual(['first true', 'third']);
  });

  it('leaves behind what does not end within the grace, and starts nothing more', async () => {
    const ran: string[] = [];
    const shutdown = new Shutdown({ graceMs: 30 })
      .step('stuck', () => new Promise((resolve) => setTimeout(resolve, 90)))
      .step('late', () => void ran.push('late'));
    await shutdown.drain('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(ran).toEqual([]);
  });

  it('exits with 0 on a signal, and a second one does not break it', async () => {
    const codes: number[] = [];
    const before = process.listeners('SIGTERM').length;
    const shutdown = new Shutdown({ graceMs: 1_000, exit: (code) => codes.push(code) }).listen();
    shutdown.step('slow', () => new Promise((resolve) => setTimeout(resolve, 20)));
    process.emit('SIGTERM');
    process.emit('SIGTERM');
    process.emit('SIGINT');
    await shutdown.drain('again');
    await new Promise((resolve) => setImmediate(resolve));
    expect(codes).toEqual([0]);
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      for (const listener of process.listeners(signal).slice(before))
        process.removeListener(signal, listener as NodeJS.SignalsListener);
  });
});
