import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A stretch of network between us and a server, that can be cut, refused, frozen and narrowed. */
export class Link {
  private readonly sockets = new Set<Socket>();
  private accepting = true;
  private frozen = false;
  private mute = false;
  private readonly answering = new Set<Socket>();
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
    this.mute = false;
    this.freeze(false);
  }

  /** Passes nothing on, and lets nobody notice. */
  freeze(frozen = true): void {
    this.frozen = frozen;
    for (const socket of this.sockets)
      if (frozen) socket.pause();
      else socket.resume();
  }

  /** Passes what is said to the server, and none of its answers: what was asked is done, and nobody learns of it. */
  loseAnswers(): void {
    this.mute = true;
    for (const far of this.answering) far.pause();
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
    this.answering.add(far);
    far.on('close', () => this.answering.delete(far));
    if (this.mute) far.pause();
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
