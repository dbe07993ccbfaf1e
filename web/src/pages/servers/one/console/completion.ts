/** A command that the template declares: `kick <name> <reason>`. */
export interface KnownCommand {
  readonly command: string
  readonly description: string
}

export interface Completion {
  /** Possible completions of the text. */
  readonly options: readonly KnownCommand[]
  /** The command whose arguments are being typed. */
  readonly usage: KnownCommand | undefined
}

const MOST = 6

/** The literal part of a command, without placeholders. */
const fixedPart = (command: string): string => command.split('<')[0]?.trimEnd() ?? ''

/** A command as completed text, with a space for its first argument. */
export const completed = ({ command }: KnownCommand): string => {
  const fixed = fixedPart(command)
  return fixed === command ? fixed : `${fixed} `
}

/** Completions of the typed text, and the command that it already is. */
export function completionOf(text: string, commands: readonly KnownCommand[]): Completion {
  const typed = text.trimStart().toLowerCase()
  if (typed === '') return { options: [], usage: undefined }
  const options = commands.filter(({ command }) => {
    const fixed = fixedPart(command).toLowerCase()
    return fixed.startsWith(typed) && fixed !== typed
  })
  const usage = commands
    .filter(({ command }) => {
      const fixed = fixedPart(command).toLowerCase()
      return fixed !== command.toLowerCase() && `${typed} `.startsWith(`${fixed} `)
    })
    .sort((a, b) => b.command.length - a.command.length)[0]
  return { options: options.slice(0, MOST), usage: options.length > 0 ? undefined : usage }
}
