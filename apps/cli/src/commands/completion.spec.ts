import { spawnSync } from 'node:child_process';
import { Command } from 'commander';
import { addCompletion } from './completion.js';

/** What the script for a shell is. */
const scriptFor = (shell: string): string => {
  const program = new Command('fanfold').exitOverride();
  program.command('ps').description("what's there").option('-n, --limit <n>').option('--json', 'as JSON');
  program.command('pipeline').command('apply').option('--url <url>');
  addCompletion(program);
  const printed = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    program.parse(['completion', shell], { from: 'user' });
    return printed.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    printed.mockRestore();
  }
};

describe('completion', () => {
  it.each([
    [['pi'], 'pipeline'],
    [['pipeline', ''], 'apply -h --help'],
    [['pipeline', 'apply', '--u'], '--url'],
    [['ps', '--'], '--limit --json --help'],
    // A value that is called like a command leads nowhere else.
    [['ps', '-n', 'pipeline', '--l'], '--limit'],
  ])('in bash, of %j it is %s', (words, expected) => {
    const line = ['fanfold', ...words].map((word) => `'${word}'`).join(' ');
    const script = `${scriptFor('bash')}COMP_WORDS=(${line}) COMP_CWORD=${words.length}\n_fanfold\necho "\${COMPREPLY[@]}"`;
    expect(spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim()).toBe(expected);
  });

  it('in zsh and fish has every command and option', () => {
    expect(scriptFor('zsh')).toMatch(/'pipeline apply'\) options='--url -h --help'/);
    expect(scriptFor('fish')).toContain("complete -c fanfold -n '__fish_seen_subcommand_from ps' -l json -d 'as JSON'");
    expect(scriptFor('fish')).toContain("-a ps -d 'what\\'s there'");
  });

  it('refuses another shell, and says which there are', () => {
    expect(() => scriptFor('tcsh')).toThrow(/bash, zsh or fish/);
  });
});
