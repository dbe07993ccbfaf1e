import type { ConfigFile } from '@lodge/shared/container-spec.ts'
import { replaceMatches } from '@lodge/shared/templates/rules/safe-regex.ts'

export type Edit = ConfigFile['edits'][number]
export type EditValue = Edit['value']

/**
 * Edits a file's text. Throws an `Error` whose message says what is wrong with the text or an edit.
 */
export type Parser = (text: string, edits: readonly Edit[]) => string

/** A value as text, as line-based formats write it. */
export const textOf = (value: EditValue): string => (value === null ? '' : String(value))

const REGEX = 'regex:'

/**
 * The new value for an edit, given the present text; undefined when the edit's condition does not
 * match. With `regex:` only the matching parts are replaced, and `$1` or `${1}` inserts a group.
 */
export function replacement(edit: Edit, present: string | undefined): EditValue | undefined {
  const { ifValue, value } = edit
  if (ifValue === undefined) return value
  if (present === undefined) return undefined
  if (!ifValue.startsWith(REGEX)) return present === ifValue ? value : undefined
  return replaceMatches(ifValue.slice(REGEX.length), present, textOf(value))
}
