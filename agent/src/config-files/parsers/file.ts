import { oneLine } from '@lodge/shared/templates/one-line.ts'
import { type Parser, replacement, textOf } from '../edit.ts'

/**
 * Replaces every line that begins with the match by the value and adds nothing. An empty match
 * matches every line.
 */
export const editFile: Parser = (text, edits) => {
  const rows = text.split('\n')
  return rows
    .map((row, index) => {
      // The empty string after the final line break is not a line.
      if (row === '' && index === rows.length - 1) return row
      const end = row.endsWith('\r') ? '\r' : ''
      let line = end === '' ? row : row.slice(0, -1)
      for (const edit of edits) {
        if (!line.startsWith(edit.match)) continue
        const value = replacement(edit, line.slice(edit.match.length))
        if (value !== undefined) line = edit.lines ? textOf(value) : oneLine(textOf(value))
      }
      return line + end
    })
    .join('\n')
}
