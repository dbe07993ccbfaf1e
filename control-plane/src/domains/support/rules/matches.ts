import type { RuleCondition, WriteRule } from '@lodge/shared/support/rules/rule.ts'

type Value = string | number | boolean | null | readonly string[]

/** A ticket's values that conditions compare. */
export type SeenTicket = Readonly<Record<RuleCondition['field'], Value>>

/** A field that the event changed. */
export interface Change {
  readonly field: string
  readonly from: string | null
  readonly to: string | null
}

const isSet = (value: Value): boolean =>
  value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

const fold = (value: unknown): string =>
  String(value ?? '')
    .normalize('NFKC')
    .toLowerCase()

function contains(value: Value, part: string): boolean {
  if (Array.isArray(value)) return value.some((one) => fold(one) === fold(part))
  return fold(value).includes(fold(part))
}

function isSame(value: Value, asked: string | number | boolean): boolean {
  return typeof asked === 'string' ? fold(value) === fold(asked) : value === asked
}

/** Comparisons with an unknown value are false, in either direction. */
function compares(value: Value, asked: number, test: (a: number, b: number) => boolean): boolean {
  return typeof value === 'number' && test(value, asked)
}

/** Whether a ticket meets a condition. */
export function meets(
  condition: RuleCondition,
  ticket: SeenTicket,
  changes: readonly Change[],
): boolean {
  const value = ticket[condition.field]
  switch (condition.op) {
    case 'isSet':
      return isSet(value)
    case 'isUnset':
      return !isSet(value)
    case 'eq':
      return isSame(value, condition.value)
    case 'neq':
      return !isSame(value, condition.value)
    case 'in':
      return condition.value.some((one) => isSame(value, one))
    case 'nin':
      return !condition.value.some((one) => isSame(value, one))
    case 'contains':
      return contains(value, condition.value)
    case 'notContains':
      return !contains(value, condition.value)
    case 'startsWith':
      return fold(value).startsWith(fold(condition.value))
    case 'endsWith':
      return fold(value).endsWith(fold(condition.value))
    case 'gt':
      return compares(value, condition.value, (a, b) => a > b)
    case 'gte':
      return compares(value, condition.value, (a, b) => a >= b)
    case 'lt':
      return compares(value, condition.value, (a, b) => a < b)
    case 'lte':
      return compares(value, condition.value, (a, b) => a <= b)
    case 'changedFrom':
      return changes.some(
        ({ field, from }) => field === condition.field && from === condition.value,
      )
    case 'changedTo':
      return changes.some(({ field, to }) => field === condition.field && to === condition.value)
  }
}

/**
 * Whether a ticket meets all conditions of the one list and any of the other; empty lists are met.
 */
export function matches(
  { when }: Pick<WriteRule, 'when'>,
  ticket: SeenTicket,
  changes: readonly Change[] = [],
): boolean {
  const holds = (condition: RuleCondition) => meets(condition, ticket, changes)
  return when.all.every(holds) && (when.any.length === 0 || when.any.some(holds))
}
