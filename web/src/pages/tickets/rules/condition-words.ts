import type { FieldChoices } from './choices.ts'
import { asksMany, asksNothing, type ConditionDraft } from './rule-draft.ts'
import { t } from './words.ts'

/** The value that a condition compares with, in words. */
export function valueWords(
  { field, op, text, many }: ConditionDraft,
  choicesOf: FieldChoices,
): string {
  if (asksNothing(op)) return ''
  const named = (value: string) =>
    choicesOf(field)?.find((one) => one.value === value)?.label ?? value
  return asksMany(op) ? many.map(named).join(', ') : named(text) || t.nobody
}
