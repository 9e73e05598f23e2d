import { scriptPosition } from './shell.js';

describe('the script text of a shell', () => {
  it.each<[string[], number]>([
    [['sh', '-c', 'echo'], 2],
    [['/bin/bash', '-lc', 'echo', '${item.id}'], 2],
    [['bash', '-e', '-o', 'pipefail', '-c', 'echo'], 5],
    [['bash', '-c', '-o', 'pipefail', '-e', 'echo'], 5],
    [['sh', '-c', '--', 'echo', '--', 'data'], 3],
    [['env', 'A=1', 'sh', '-c', 'echo'], 4],
    [['sudo', '-u', 'x', 'bash', '-c', 'echo'], 5],
    [['${input.shell}', '-c', 'echo'], 2],
    [['sh', 'file.sh', '${item.id}'], -1],
    [['sh', '-c'], -1],
    [['tar', '-c', '${item.name}'], -1],
    [['python3', '-c', 'print(1)'], -1],
    [[], -1],
  ])('of %j stands at %d', (command, position) => expect(scriptPosition(command)).toBe(position));
});
