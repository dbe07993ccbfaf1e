import { expect, it } from 'vitest'
import type { Edit, Parser } from '../edit.ts'

type Short = readonly [match: string, value: Edit['value'], ifValue?: string]
type Golden = readonly [what: string, before: string, edits: readonly Short[], after: string]

/**
 * Defines one test per case: text before, edits, text after, and that applying the edits twice
 * changes nothing.
 */
export function golden(parser: Parser, cases: readonly Golden[]): void {
  it.each(cases)('%s', (_, before, edits, after) => {
    const full = edits.map(([match, value, ifValue]) => ({
      match,
      value,
      ...(ifValue === undefined ? {} : { ifValue }),
    }))
    const result = parser(before, full)
    expect(result).toBe(after)
    const again = full.filter((edit) => edit.ifValue === undefined)
    expect(parser(result, again), 'a second time changes nothing').toBe(result)
  })
}
