import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Reads `+ <group>` and `- <group>` line by line; when its input ends, so has the executor, and every group still known is
 * killed. It leads a session of its own, so what kills the executor's group does not kill it.
 */
const program = `
groups=
while read -r sign group; do
  case $sign in
    +) groups="$groups $group" ;;
    -) left=
       for each in $groups; do [ "$each" = "$group" ] || left="$left $each"; done
       groups=$left ;;
  esac
done
for each in $groups; do kill -s KILL -- "-$each" 2>/dev/null; done
`;

/**
 * The process groups of this executor, told to a small process that outlives it: an executor that is killed cannot end
 * what it started, and what nobody waits for must not go on beside the next attempt.
 */
export class Reaper {
  private readonly groups = new Set<number>();
  private child: ChildProcess | null = null;

  add(group: number): void {
    this.groups.add(group);
    if (this.child) this.tell(`+ ${group}\n`);
    else this.start();
  }

  remove(group: number): void {
    if (this.groups.delete(group)) this.tell(`- ${group}\n`);
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
    for (const group of this.groups) this.tell(`+ ${group}\n`);
  }
}
