import type { BoundField } from '../../../ui/fields/field-props.ts'
import { t } from './words.ts'

type Amount = BoundField<number | undefined>

/**
 * Adds the current maximum to a size field: as its description, or as its error when exceeded.
 * @param bound undefined when the size is unlimited
 * @param amount compared with the bound, in the same unit
 */
export function atMost(
  field: Amount,
  bound: number | undefined,
  {
    amount,
    write,
    say = t.atMost,
  }: {
    amount: number
    write: (amount: number) => string
    say?: (values: { most: string }) => string
  },
): Amount & { description?: string } {
  if (bound === undefined || field.error !== undefined) return field
  const words = say({ most: write(bound) })
  const { value, onChange } = field
  return amount > bound
    ? { value, onChange, error: words }
    : { value, onChange, error: undefined, description: words }
}
