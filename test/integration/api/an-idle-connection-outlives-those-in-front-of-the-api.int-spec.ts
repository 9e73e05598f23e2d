import { Agent, get, type IncomingMessage } from 'node:http';
import { apiUnderTest, type ApiUnderTest } from './api-under-test.js';

describe('a connection that is kept alive', () => {
  let api: ApiUnderTest;
  beforeAll(async () => {
    api = await apiUnderTest();
  });
  afterAll(() => api.close());

  // Load balancers keep idle connections for up to 60 s; one that the api closed first would lose the request sent just then.
  it('is promised for longer than load balancers keep one, and is used again', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = () =>
      new Promise<IncomingMessage>((resolve, reject) =>
        get(`${api.url}/health/live`, { agent }, (answer) => answer.resume().once('end', () => resolve(answer))).once(
          'error',
          reject,
        ),
      );
    try {
      const first = await ask();
      const second = await ask();
      for (const { headers } of [first, second])
        expect(Number(/timeout=(\d+)/.exec(String(headers['keep-alive']))![1])).toBeGreaterThan(60);
      expect(second.socket).toBe(first.socket);
    } finally {
      agent.destroy();
    }
  });
});
