import { allOptions, isFixed, partsOf, type Command } from './command.ts'

export type LoadedCommand = { name: string; about: string; forms: Command }

/** A place in the command line: the words before, with `*` for a value, and what may follow. */
type Place = { path: string[]; next: Map<string, string> }

/**
 * Commands as `case` patterns: the script joins the words before the cursor without options and their values, and looks
 * that path up. Longer and more literal patterns come first, as `*` also matches several words.
 */
export function bashScript(commands: readonly LoadedCommand[]): string {
  const branches = placesOf(commands).map(
    ({ path, next }) => `    ${pattern(path)}) words=${quote([...next.keys()].join(' '))} ;;`,
  )
  const options = commands.flatMap(({ name, forms }) => {
    const valued = valuedOptions(forms)
    return valued.map(([option, words]) => `    ${quote(`${name} --${option}`)}) words=${quote(words.join(' '))} ;;`)
  })
  return `# Completion of gangan for bash; written by: gangan completion bash
_gangan_value() { # whether an option of the command takes a value; sets words to its values
  case "$1 $2" in
${options.join('\n')}
    *) return 1 ;;
  esac
}
_gangan() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words='' at
  for ((at = 1; at < COMP_CWORD; at++)); do
    if _gangan_value "\${COMP_WORDS[1]}" "\${COMP_WORDS[at]}"; then
      if ((at + 1 == COMP_CWORD)); then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
        return
      fi
      ((at++))
    elif [[ "\${COMP_WORDS[at]}" != -* ]]; then
      path+=" \${COMP_WORDS[at]}"
    fi
  done
  words=''
  case "$path" in
${branches.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _gangan gangan
`
}

/** zsh runs the script for bash, with its own emulation. */
export function zshScript(commands: readonly LoadedCommand[]): string {
  return `#compdef gangan
autoload -U +X bashcompinit && bashcompinit
${bashScript(commands)}`
}

export function fishScript(commands: readonly LoadedCommand[]): string {
  const valued = commands.flatMap(({ name, forms }) => valuedOptions(forms).map(([option]) => `'${name} --${option}'`))
  const places = placesOf(commands).flatMap(({ path, next }) =>
    [...next].map(([word, about]) => {
      const what = word.startsWith('--')
        ? `-l ${word.slice(2)}${optionOf(commands, path, word.slice(2))}`
        : `-a ${quote(word)}`
      return `complete -c gangan -f -n ${quote(`__gangan_at ${path.map((part) => `"${part}"`).join(' ')}`)} ${what} -d ${quote(about)}`
    }),
  )
  return `# Completion of gangan for fish; written by: gangan completion fish
function __gangan_at # whether the words before the cursor, without options, match these; '*' is any word
    set -l given
    set -l skip 0
    set -l tokens (commandline -opc)
    for token in $tokens[2..-1]
        if test $skip = 1
            set skip 0
        else if contains -- "$tokens[2] $token" ${valued.join(' ')}
            set skip 1
        else if not string match -q -- '-*' $token
            set -a given $token
        end
    end
    test (count $given) = (count $argv); or return 1
    for at in (seq (count $argv))
        string match -q -- $argv[$at] $given[$at]; or return 1
    end
end
${places.join('\n')}
`
}

/** Every place where a word or an option may follow, longest first. */
function placesOf(commands: readonly LoadedCommand[]): Place[] {
  const places = new Map<string, Place>()
  function add(path: string[], word: string, about: string): void {
    const place = places.get(path.join(' ')) ?? { path, next: new Map<string, string>() }
    places.set(path.join(' '), place)
    if (!place.next.has(word)) place.next.set(word, about)
  }
  for (const { name, about, forms } of commands) {
    add([], name, about)
    add(['help'], name, about)
    for (const one of forms) {
      const parts = partsOf(one)
      const path = [name, ...parts.map((part) => (isFixed(part) ? part : '*'))]
      for (const [at, part] of parts.entries()) {
        if (isFixed(part)) add(path.slice(0, at + 1), part, at === parts.length - 1 ? one.about : '')
      }
      // An optional value may be left out.
      const least = parts.findIndex((part) => part.startsWith('['))
      const ends = least === -1 ? [path] : [path, path.slice(0, least + 1)]
      for (const end of ends) {
        for (const [option, { about: what }] of Object.entries(allOptions(one))) add(end, `--${option}`, what)
        add(end, '--help', 'explain it')
      }
    }
  }
  add([], 'help', 'explain a command')
  const literals = ({ path }: Place): number => path.filter((part) => part !== '*').length
  return [...places.values()].sort((a, b) => b.path.length - a.path.length || literals(b) - literals(a))
}

/** The options of a command that take a value, with the values if they are few. */
function valuedOptions(forms: Command): [string, readonly string[]][] {
  const valued = new Map<string, readonly string[]>()
  for (const { options } of forms) {
    for (const [name, option] of Object.entries(options)) {
      if (option.kind === 'text') valued.set(name, option.words ?? [])
    }
  }
  return [...valued]
}

/** For fish: that an option takes a value, and which. */
function optionOf(commands: readonly LoadedCommand[], [name]: readonly string[], option: string): string {
  const forms = commands.find((command) => command.name === name)?.forms ?? []
  const words = new Map(valuedOptions(forms)).get(option)
  if (!words) return ''
  return words.length === 0 ? ' -r -F' : ` -x -a ${quote(words.join(' '))}`
}

function pattern(path: readonly string[]): string {
  return path.length === 0 ? "''" : path.map((part) => (part === '*' ? "' '*" : quote(` ${part}`))).join('')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
