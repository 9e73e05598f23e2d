import { createServer } from 'node:net';

/** Whether a port of this machine can be listened on now. 0 asks for any. */
export const claimPort = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const found = typeof address === 'object' && address ? address.port : undefined;
      server.close(() => resolve(found));
    });
  });
