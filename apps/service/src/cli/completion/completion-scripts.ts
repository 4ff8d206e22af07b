export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export interface Completed {
  /** Such as `keys create`; empty for `caregate` itself. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly CompletedOption[];
}

interface Word {
  readonly word: string;
  readonly summary: string;
}

export interface CompletedOption extends Word {
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** Starts no program. Anything unknown completes as a file. */
export function completionScript(shell: Shell, tree: readonly Completed[]): string {
  return { bash, zsh, fish }[shell](tree);
}

const paths = (tree: readonly Completed[]): string[] =>
  tree.map(({ path }) => path).filter((path) => path !== '');

/** Sets `path` to the words before the cursor that are commands; the syntax of both shells. */
function finding(tree: readonly Completed[]): string {
  return `    case "\${path:+$path }$word" in
      ${paths(tree)
        .map((path) => `"${path}"`)
        .join(' | ')}) path="\${path:+$path }$word" ;;
    esac`;
}

function bash(tree: readonly Completed[]): string {
  const values = tree.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(({ word, choices }) => `    "${path} ${word}") words="${choices.join(' ')}" ;;`),
  );
  const files = tree.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue, choices }) => takesValue && choices.length === 0)
      .map(({ word }) => `"${path} ${word}"`),
  );
  const words = tree.map(
    ({ path, commands, options }) =>
      `      "${path}") words="${[...commands, ...options].map(({ word }) => word).join(' ')}" ;;`,
  );
  return `# caregate completion bash > /etc/bash_completion.d/caregate
_caregate() {
  local path= word words= cur="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${finding(tree)}
  done
  case "$path $previous" in
${values.join('\n')}
    ${files.join(' | ')}) ;;
    *) case "$path" in
${words.join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _caregate caregate
`;
}

function zsh(tree: readonly Completed[]): string {
  const described = ({ word, summary }: { word: string; summary: string }): string =>
    quoted(`${word}:${summary.replaceAll(':', '\\:')}`);
  const cases = tree.map(({ path, commands, options }) => {
    const values = options
      .filter(({ choices }) => choices.length > 0)
      .map(({ word, choices }) => `        ${word}) compadd -- ${choices.join(' ')}; return ;;`);
    const files = options.filter(({ takesValue, choices }) => takesValue && choices.length === 0);
    return `    "${path}")
      case "$previous" in
${values.join('\n')}
        ${[...files.map(({ word }) => word), '--no-such-option'].join(' | ')}) _files; return ;;
      esac
      commands=(${commands.map(described).join(' ')})
      options=(${options.map(described).join(' ')}) ;;`;
  });
  return `#compdef caregate
# caregate completion zsh > /usr/share/zsh/vendor-completions/_caregate
_caregate() {
  local path_= word previous="\${words[CURRENT-1]}"
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
${finding(tree).replaceAll('path', 'path_')}
  done
  case "$path_" in
${cases.join('\n')}
  esac
  (( \${#commands} )) && _describe command commands
  _describe option options
  (( \${#commands} )) || _files
}
# Loaded by zsh itself, the file is the function at its first use.
if [ "$funcstack[1]" = _caregate ]; then _caregate "$@"; else compdef _caregate caregate; fi
`;
}

function fish(tree: readonly Completed[]): string {
  const lines = tree.flatMap(({ path, commands, options }) => {
    const at = `complete -c caregate -n ${quoted(`test (_caregate_path) = ${quoted(path)}`)}`;
    return [
      ...commands.map(({ word, summary }) => `${at} -f -a ${quoted(word)} -d ${quoted(summary)}`),
      ...options.map(({ word, summary, takesValue, choices }) => {
        const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : ' -r';
        return `${at} -l ${word.slice(2)}${takesValue ? value : ''} -d ${quoted(summary)}`;
      }),
    ];
  });
  const known = paths(tree).map(quoted).join(' ');
  return `# caregate completion fish > ~/.config/fish/completions/caregate.fish
function _caregate_path
  set -l path ''
  for word in (commandline -opc)[2..]
    set -l longer (string trim -- "$path $word")
    contains -- "$longer" ${known}; and set path $longer
  end
  echo "$path"
end
${lines.join('\n')}
`;
}

/** For zsh and fish; fish treats backslashes in single quotes as escapes. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`'\''`)}'`;
}
