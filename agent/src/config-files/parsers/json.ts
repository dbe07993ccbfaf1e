import type { Parser } from '../edit.ts'
import { applyEdit, isTree } from '../path.ts'

/** JSON: keeps key order and the file's indentation; a new file gets four spaces. */
export const editJson: Parser = (text, edits) => {
  const root: unknown = text.trim() === '' ? {} : JSON.parse(text)
  if (!isTree(root)) throw new Error('The document is neither an object nor a list')
  let changed = false
  for (const edit of edits) changed = applyEdit(root, edit).length > 0 || changed
  if (!changed) return text
  const indent =
    text.trim() === '' ? '    ' : (/^[[{][ \t]*\r?\n([ \t]+)/.exec(text.trim())?.[1] ?? '')
  const lines = text.includes('\r\n') ? '\r\n' : '\n'
  const end = /\n$/.test(text) || text.trim() === '' ? '\n' : ''
  return JSON.stringify(root, null, indent).concat(end).replaceAll('\n', lines)
}
