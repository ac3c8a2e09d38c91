import { plainForm, type Command } from './terminal/command.ts'
import { bashScript, fishScript, zshScript } from './terminal/completion-scripts.ts'
import type { Groups } from './terminal/help.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }

/** Prints a script that completes commands, options and their values. It is static: completing starts no process. */
export function completionOf(groups: Groups): Command {
  const print = (shell: keyof typeof SCRIPTS) => async (): Promise<void> => {
    const commands = Object.values(groups).flatMap((group) => Object.entries(group))
    const loaded = commands.map(async ([name, { about, load }]) => ({ name, about, forms: await load() }))
    process.stdout.write(SCRIPTS[shell](await Promise.all(loaded)))
  }
  return [
    plainForm('bash', 'the script for bash', {}, print('bash'), [
      'gangan completion bash > ~/.local/share/bash-completion/completions/gangan',
    ]),
    plainForm('zsh', 'the script for zsh', {}, print('zsh'), [
      'gangan completion zsh > ~/.zsh/_gangan  # in a folder of $fpath',
    ]),
    plainForm('fish', 'the script for fish', {}, print('fish'), [
      'gangan completion fish > ~/.config/fish/completions/gangan.fish',
    ]),
  ]
}
