import type { Command } from 'commander';
import { UsageError } from '../usage-error.js';

/** A command as a shell completes it. */
interface Completed {
  /** Its words behind `fanfold`. */
  readonly path: readonly string[];
  readonly description: string;
  readonly below: readonly Completed[];
  readonly options: readonly { readonly flags: readonly string[]; readonly description: string }[];
}

const shells = { bash: inBash, zsh: inZsh, fish: inFish } as const;

/** `completion`: a script that teaches a shell the commands and their options. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print the script that completes commands and options in a shell')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText(
      'after',
      `
  bash  eval "$(fanfold completion bash)"          in ~/.bashrc
  zsh   eval "$(fanfold completion zsh)"           in ~/.zshrc, behind compinit
  fish  fanfold completion fish | source           in ~/.config/fish/config.fish`,
    )
    .action((shell: string) => {
      if (!Object.hasOwn(shells, shell)) throw new UsageError(`completion is for bash, zsh or fish, not ${shell}`);
      process.stdout.write(shells[shell as keyof typeof shells](completed(program, [])));
    });
}

function completed(command: Command, path: readonly string[]): Completed {
  return {
    path,
    description: command.description(),
    below: command.commands.map((each) => completed(each, [...path, each.name()])),
    options: command
      .createHelp()
      .visibleOptions(command)
      .map(({ short, long, description }) => ({
        flags: [short, long].filter((flag) => flag !== undefined),
        description,
      })),
  };
}

const all = (top: Completed): readonly Completed[] => [top, ...top.below.flatMap(all)];
const flagsOf = ({ options }: Completed): readonly string[] => options.flatMap(({ flags }) => flags);
const wordsOf = (command: Completed): string =>
  [...command.below.map(({ path }) => path.at(-1)!), ...flagsOf(command)].join(' ');

/** In bash and zsh: goes down the words as far as they are commands, and says what may follow there. */
function casesOf(top: Completed): string {
  const commands = all(top).slice(1);
  const known = commands.map(({ path }) => `'${path.join(' ')}'`).join('|');
  const words = all(top).map((command) => `    '${command.path.join(' ')}') words='${wordsOf(command)}' ;;`);
  return `  for word in "\${before[@]}"; do
    case "\${path:+$path }$word" in
      ${known}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${words.join('\n')}
  esac`;
}

function inBash(top: Completed): string {
  return `_fanfold() {
  local word path='' words='' before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
${casesOf(top)}
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _fanfold fanfold
`;
}

function inZsh(top: Completed): string {
  return `_fanfold_words() {
  local word path_='' options before=("\${(@)words[2,CURRENT-1]}")
${casesOf(top).replaceAll('path', 'path_').replaceAll('words=', 'options=')}
  compadd -- \${=options}
  _files
}
compdef _fanfold_words fanfold
`;
}

function inFish(top: Completed): string {
  const lines = all(top).flatMap(({ path, below, options }) => {
    const names = below.map((each) => each.path.at(-1)!);
    const here = [
      ...path.map((word) => `__fish_seen_subcommand_from ${word}`),
      ...(names.length === 0 ? [] : [`not __fish_seen_subcommand_from ${names.join(' ')}`]),
    ].join('; and ');
    const when = here === '' ? '' : ` -n '${here}'`;
    return [
      ...below.map((each) => `complete -c fanfold${when} -a ${each.path.at(-1)!} -d ${quoted(each.description)}`),
      ...options.map(({ flags, description }) => {
        const named = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
        return `complete -c fanfold${when} ${named.join(' ')}${description === '' ? '' : ` -d ${quoted(description)}`}`;
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
