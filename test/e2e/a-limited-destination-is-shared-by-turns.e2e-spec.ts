import { modes } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { fanOut, numbers } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';

inModes(modes, 'a large fan-out on a slow destination', (stage) => {
  it('delays neither work for other destinations nor, beyond its share, work for the same', async () => {
    const { sink, engine } = stage;
    const { api } = engine;
    sink.answer(({ path }) => ({ delayMs: path === '/b' ? 0 : 20 }));
    const slow = stage.name();
    await api.need([200, 201], 'PUT', `/v1/destinations/${slow}`, { maxConcurrency: 1 });
    const publish = async (path: string, destinations: readonly string[]): Promise<string> => {
      const name = stage.name();
      await api.publish(fanOut(name, sink.url + path, { node: { destinations } }));
      return name;
    };
    const [a, b, c] = [await publish('/a', [slow]), await publish('/b', []), await publish('/c', [slow])];
    const callsOf = (path: string) => sink.calls.filter((call) => call.path === path).length;
    const large = await api.start(a, { items: numbers(200) });
    await eventually(() => expect(callsOf('/a')).toBeGreaterThan(5));
    expect(await api.run(b, { items: numbers(10) })).toMatchObject({ state: 'SUCCEEDED' });
    expect(callsOf('/a')).toBeLessThan(120);
    const before = callsOf('/a');
    expect(await api.run(c, { items: numbers(10) })).toMatchObject({ state: 'SUCCEEDED' });
    // Equal weights take equal shares: about one call of the large one for each of the small one.
    expect(callsOf('/a') - before).toBeLessThan(60);
    expect((await api.settled(large.id)).fanOuts[0]).toMatchObject({ succeeded: 200 });
    expect(sink.mostInFlight).toBeLessThanOrEqual(11);
  });
});
