/** A set of nodes as one bit each: what a large execution remembers about its nodes besides their tasks. Never changed. */
export class NodeSet {
  static readonly none = new NodeSet(new Uint8Array(0));

  /** @param bytes the bit of node n is bit n % 8 of byte n / 8; what lies behind the end is not in the set */
  constructor(readonly bytes: Uint8Array) {}

  has(node: number): boolean {
    return ((this.bytes[node >> 3] ?? 0) & (1 << (node & 7))) !== 0;
  }

  with(nodes: Iterable<number>): NodeSet {
    const added = [...nodes];
    if (added.length === 0) return this;
    const last = added.reduce((a, b) => Math.max(a, b), 0);
    const bytes = new Uint8Array(Math.max(this.bytes.length, (last >> 3) + 1));
    bytes.set(this.bytes);
    for (const node of added) bytes[node >> 3]! |= 1 << (node & 7);
    return new NodeSet(bytes);
  }
}
