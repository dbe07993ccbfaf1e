const MAX_COMMAND = 4096

/** Reduces input to a single line, so that it cannot smuggle in a second command. */
export function cleanCommand(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what has to go
  return text.replace(/[\r\n\u0000]/g, '').slice(0, MAX_COMMAND)
}
