/** Patterns of what backups leave out as people write them, one a line. */
export const textOf = (patterns: readonly string[]): string => patterns.join('\n')

/** Comments and empty lines of a pasted `.gitignore` mean nothing. */
export const patternsIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
