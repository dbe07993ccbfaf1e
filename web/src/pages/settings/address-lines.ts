import { t } from './words.ts'

/** Addresses and networks as people type them: one per line, or with spaces or commas between. */
export const linesOf = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

const FIELD = 'administratorAddresses'

/**
 * The lines that the control plane refused, in one sentence.
 * @param errors by JSON pointer
 */
export function addressFault(
  lines: readonly string[],
  errors: Readonly<Record<string, string>>,
): string | undefined {
  const refused = Object.entries(errors).filter(([pointer]) => pointer.startsWith(FIELD))
  const wrong = refused.flatMap(([pointer]) => lines[Number(pointer.split('/')[1])] ?? [])
  if (wrong.length > 0)
    return t.wrongAddresses({ count: wrong.length, addresses: wrong.join(', ') })
  return refused[0]?.[1]
}
