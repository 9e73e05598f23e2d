import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Reads `KILL <group>`, `TERM <process>` and `- <either>` line by line; when its input ends, so has the executor. Then every process still
 * known is told to end what it runs, and every group is killed. It leads a session of its own, so what kills the executor's
 * group does not kill it.
 */
const program = `
groups=
told=
without() {
  left=
  gone=$1
  shift
  for each; do [ "$each" = "$gone" ] || left="$left $each"; done
}
while read -r what id; do
  case $what in
    KILL) groups="$groups $id" ;;
    TERM) told="$told $id" ;;
    -) without "$id" $groups; groups=$left
       without "$id" $told; told=$left ;;
  esac
done
for each in $told; do kill -s TERM "$each" 2>/dev/null; done
for each in $groups; do kill -s KILL -- "-$each" 2>/dev/null; done
`;

/**
 * The process groups of this executor, told to a small process that outlives it: an executor that is killed cannot end
 * what it started, and what nobody waits for must not go on beside the next attempt.
 */
export class Reaper {
  private readonly known = new Map<number, 'KILL' | 'TERM'>();
  private child: ChildProcess | null = null;

  /** @param how a group to kill, or a process to tell, which then kills what it runs */
  add(id: number, how: 'KILL' | 'TERM'): void {
    this.known.set(id, how);
    if (this.child) this.tell(`${how} ${id}\n`);
    else this.start();
  }

  remove(id: number): void {
    if (this.known.delete(id)) this.tell(`- ${id}\n`);
  }

  private tell(line: string): void {
    this.child?.stdin?.write(line);
  }

  /** One that died is started anew with the next group. */
  private start(): void {
    const child = spawn('/bin/sh', ['-c', program], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: {} });
    const forget = (): void => {
      if (this.child === child) this.child = null;
    };
    child.once('error', forget).once('exit', forget);
    child.stdin.on('error', forget);
    child.unref();
    (child.stdin as unknown as { unref(): void }).unref();
    this.child = child;
    for (const [id, how] of this.known) this.tell(`${how} ${id}\n`);
  }
}
