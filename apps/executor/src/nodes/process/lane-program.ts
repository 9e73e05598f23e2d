/**
 * What a lane runs: a shell that starts one command after the other.
 *
 * It is a small process, so a fork of it costs little; a fork of the executor copies the tables of hundreds of megabytes, and every page
 * that the executor touches afterwards. It reads, each ended by NUL: how many variables, the variables as `NAME=value`, how many
 * words, the words, and the file for standard input. It writes to file descriptor 3, line by line: `ready`, then for each command
 * `+ <pid>` once it is started, and `= <code>` or `~ <128 + signal>` once it has ended.
 *
 * Job control gives each command a process group of its own. What is left of the group when the command ends is killed. Told to end (TERM),
 * or unable to tell who asked, it kills what it runs; at the end of its input it ends. Nothing of it is evaluated: words and values are data.
 *
 * A pipe that a command was killed before it had opened never ends for who reads it, so the lane opens and closes both behind each.
 *
 * It is read from a file, as a shell that gets it as an argument tells of its jobs otherwise: from a file, and inside of a compound command,
 * `jobs` still knows a command that exited by itself and no longer one that a signal ended, which tells
 * 128 + n from signal n. That is tried before `ready`: a shell that cannot tell them apart is not used.
 */
export const laneProgram = `
LC_ALL=C
unset PWD OLDPWD SHLVL
set -m
trap 'rm -rf -- "$1"' EXIT
trap : PIPE
__ended=
trap '[ "$!" = "$__ended" ] || kill -s KILL -- "-$!"; exit' TERM
mkfifo -m 600 -- "$1/out" "$1/err" || exit
{
  (exit 137) &
  wait "$!"
  jobs %% || exit
  (kill -s KILL "$BASHPID") &
  wait "$!"
  jobs %% && exit
  __ended=$!
}
printf 'ready\\n' >&3
while IFS= read -r -d '' __count; do
  __variables=() __words=()
  while [ "$__count" -gt 0 ]; do
    IFS= read -r -d '' __one || exit
    __variables+=("$__one") __count=$((__count - 1))
  done
  IFS= read -r -d '' __count || exit
  while [ "$__count" -gt 0 ]; do
    IFS= read -r -d '' __one || exit
    __words+=("$__one") __count=$((__count - 1))
  done
  IFS= read -r -d '' __input || exit
  (
    [ "\${#__variables[@]}" = 0 ] || export "\${__variables[@]}"
    exec "\${__words[@]}" 3>&-
  ) <"$__input" >"$1/out" 2>"$1/err" &
  printf '+ %s\\n' "$!" >&3 || kill -s KILL -- "-$!"
  wait "$!"
  __code=$? __how='='
  [ "$__code" -le 128 ] || jobs %% || __how='~'
  kill -s KILL -- "-$!"
  __ended=$!
  : 4<>"$1/out" 5<>"$1/err"
  printf '%s %s\\n' "$__how" "$__code" >&3 || exit
done
`;
