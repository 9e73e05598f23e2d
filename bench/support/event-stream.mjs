// The stream of an execution, as a program that watches it sees it; as little work as possible, since a thousand of these run
// beside what they watch.
import { request } from 'node:http';

/**
 * Opens it. `connected` resolves when its first frame is there, `ended` when the server has closed it; `onText` is given every
 * piece as it comes.
 */
export const openStream = (api, id, onText = () => undefined) => {
  let close;
  let connected;
  const isConnected = new Promise((resolve, reject) => (connected = { resolve, reject }));
  const ended = new Promise((resolve, reject) => {
    const outgoing = request(`${api.url}/v1/executions/${id}/stream`, {
      agent: false,
      headers: { authorization: `Bearer ${api.key}`, accept: 'text/event-stream' },
    });
    const fail = (error) => {
      connected.reject(error);
      reject(error);
    };
    outgoing.once('error', fail);
    outgoing.once('response', (response) => {
      if (response.statusCode !== 200) return fail(new Error(`the stream gave ${response.statusCode}`));
      response.setEncoding('utf8');
      response.on('data', (text) => {
        connected.resolve();
        onText(text);
      });
      response.once('end', resolve);
      response.once('error', fail);
    });
    close = () => outgoing.destroy();
    outgoing.end();
  });
  isConnected.catch(() => undefined);
  ended.catch(() => undefined);
  return { connected: isConnected, ended, close };
};
