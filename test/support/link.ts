import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** One connection of a link, as its listener sees it. */
export interface Heard {
  /** Whatever the listener wants to know of it the next time. */
  readonly memory: Record<string, unknown>;
  /** The server's next answer is lost, and the connection with it: what was asked is done, and nobody learns of it. */
  loseAnswer(): void;
  /** The same, but the connection looks alive: nothing more comes from the server, and nothing tells of its end. */
  goSilent(): void;
  /** What the server says from now on waits until the returned function lets it through. */
  hold(): () => void;
}

/** A stretch of network between us and a server, that can be cut, refused, frozen and narrowed. */
export class Link {
  private readonly sockets = new Set<Socket>();
  private accepting = true;
  private frozen = false;
  private listener: ((said: string, connection: Heard) => void) | undefined;
  private bytesPerSecond = Number.POSITIVE_INFINITY;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (near) => this.join(near));
  }

  /** A link in front of the host and port of a URL. */
  static async to(url: string): Promise<Link> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Link(server, new URL(url));
  }

  /** The target's URL by way of this link. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  /** Drops every connection; new ones are taken. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Drops every connection and takes no new one until `restore`. */
  down(): void {
    this.accepting = false;
    this.cut();
  }

  restore(): void {
    this.accepting = true;
    this.freeze(false);
  }

  /** Passes nothing on, and lets nobody notice. */
  freeze(frozen = true): void {
    this.frozen = frozen;
    for (const socket of this.sockets)
      if (frozen) socket.pause();
      else socket.resume();
  }

  /** Hears what is said to the server, packet by packet. */
  listen(listener: (said: string, connection: Heard) => void): void {
    this.listener = listener;
  }

  /** Narrows the way to the server, for connections made from now on. */
  throttle(bytesPerSecond: number): void {
    this.bytesPerSecond = bytesPerSecond;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(near: Socket): void {
    if (!this.accepting) return void near.destroy();
    const far = connect({ host: this.target.hostname, port: Number(this.target.port) });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
    if (Number.isFinite(this.bytesPerSecond)) near.pipe(narrow(this.bytesPerSecond)).pipe(far);
    else near.pipe(far);
    far.pipe(near);
    const heard: Heard = {
      memory: {},
      loseAnswer: () => {
        far.unpipe(near);
        far.once('data', () => near.destroy());
        far.resume();
      },
      goSilent: () => {
        far.unpipe(near);
        far.resume();
      },
      hold: () => {
        far.unpipe(near);
        return () => far.pipe(near);
      },
    };
    near.on('data', (chunk: Buffer) => this.listener?.(chunk.toString('latin1'), heard));
    if (this.frozen) {
      near.pause();
      far.pause();
    }
  }
}

const narrow = (bytesPerSecond: number): Transform =>
  new Transform({
    highWaterMark: 1_024,
    transform(chunk: Buffer, _, done) {
      setTimeout(() => done(null, chunk), (chunk.length / bytesPerSecond) * 1_000);
    },
  });
