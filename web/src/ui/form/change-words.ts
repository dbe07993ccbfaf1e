import { t } from './words.ts'

const NAMED = 3

/** What changed, for a bar or a question: `2 changes: Memory, Disk`. */
export function changeWords(labels: readonly string[]): string {
  const names = labels.map((label) => label.replace(/ \(optional\)$/, ''))
  return t.changes({
    count: names.length,
    names: names.slice(0, NAMED).join(', '),
    more: Math.max(0, names.length - NAMED),
  })
}
