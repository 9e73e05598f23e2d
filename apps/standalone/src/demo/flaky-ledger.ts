import { createServer } from 'node:http';

export interface FlakyLedger {
  readonly url: string;
  readonly calls: () => number;
  /** From now on closed accounts are open again. */
  reopenAccounts(): void;
  close(): void;
}

/**
 * A deliberately flaky destination: one call in twenty-five is answered 503 (a retry helps), and entries of closed accounts
 * are refused with 422 (no retry helps) until somebody reopens them.
 */
export async function startFlakyLedger(): Promise<FlakyLedger> {
  let calls = 0;
  let closed = true;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      calls++;
      const entry = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { entry_id: string; account: string };
      const answer = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (closed && Number(entry.account) % 97 === 0)
        return answer(422, { error: 'account is closed', account: entry.account });
      if (calls % 25 === 0) return answer(503, { error: 'ledger is busy' });
      return answer(200, { posted: entry.entry_id });
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    calls: () => calls,
    reopenAccounts: () => {
      closed = false;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
