// A destination to play with: it takes ledger entries on 127.0.0.1:4400. It refuses entries of closed accounts with 422 until
// somebody posts to /reopen, and answers every hundredth call 503, as busy services do.
import { createServer } from 'node:http';

const port = Number(process.env.PORT ?? 4400);
let calls = 0;
let closed = true;
let open = 0;
let mostOpen = 0;

createServer(async (request, response) => {
  const answer = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  let text = '';
  for await (const chunk of request) text += chunk;
  if (request.url === '/reopen') {
    closed = false;
    return answer(200, { reopened: true });
  }
  if (request.url === '/calls') return answer(200, { calls, mostOpen });
  const number = ++calls;
  open += 1;
  mostOpen = Math.max(mostOpen, open);
  // As if it did something: a call takes a moment.
  await new Promise((resolve) => setTimeout(resolve, 5));
  open -= 1;
  const entry = JSON.parse(text);
  if (closed && Number(entry.account) % 97 === 0)
    return answer(422, { error: 'account is closed', account: entry.account });
  if (number % 100 === 0) return answer(503, { error: 'ledger is busy' });
  return answer(200, { posted: entry.entry_id });
}).listen(port, '127.0.0.1', () => console.log(`ledger at http://127.0.0.1:${port}`));
