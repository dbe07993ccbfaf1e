const MAX_COMMAND = 4096

/** Makes one line of what a person sends: nothing in it can end the line or hide a second one. */
export function cleanCommand(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what has to go
  return text.replace(/[\r\n\u0000]/g, '').slice(0, MAX_COMMAND)
}
