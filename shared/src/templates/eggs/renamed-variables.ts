/**
 * Renames variables in a shell script: where it reads their value (`$NAME`, `${NAME:-x}`), where it
 * sets them (`NAME=x`) and in placeholders. Other mentions stay, because they may be ordinary
 * words.
 */
export function renameInScript(script: string, renamed: ReadonlyMap<string, string>): string {
  let text = script
  for (const [given, name] of renamed) {
    const word = given.replaceAll(/[^\w]/g, '\\$&')
    const read = new RegExp(`(\\$\\{?[#!]?|\\{\\{\\s*(?:[a-z]+\\.)*)${word}(?![A-Za-z0-9_])`, 'g')
    const written = new RegExp(`(^|[\\s;&|(])${word}(?=\\+?=)`, 'gm')
    text = text.replace(read, `$1${name}`).replace(written, `$1${name}`)
  }
  return text
}

/** Names of renamed variables that a script still mentions as whole words. */
export function leftInScript(script: string, renamed: ReadonlyMap<string, string>): string[] {
  const words = new Set(script.split(/[^A-Za-z0-9_]+/))
  return [...renamed.keys()].filter((name) => words.has(name))
}
