import type { CategoryField } from '@lodge/shared/support/desk.ts'
import { invalid } from '../../../http/input.ts'

type Answer = string | number | boolean

const TYPES = { number: 'number', checkbox: 'boolean' } as const

/**
 * A ticket's answers to the fields of its category.
 * @throws {Problem} validation_failed for a missing answer, one of the wrong type, or one to an
 * unknown field
 */
export function answersTo(
  fields: readonly CategoryField[],
  given: Readonly<Record<string, Answer>>,
): Record<string, Answer> {
  const errors = Object.keys(given)
    .filter((key) => !fields.some((field) => field.key === key))
    .map((key) => ({ pointer: `/answers/${key}`, detail: 'is no question of this category' }))
  for (const field of fields) {
    const detail = faultOf(field, Object.hasOwn(given, field.key) ? given[field.key] : undefined)
    if (detail !== undefined) errors.push({ pointer: `/answers/${field.key}`, detail })
  }
  if (errors.length > 0) throw invalid(errors)
  return { ...given }
}

function faultOf(field: CategoryField, answer: Answer | undefined): string | undefined {
  if (answer === undefined || answer === '')
    return field.required ? `is needed: ${field.label}` : undefined
  const type = TYPES[field.type as keyof typeof TYPES] ?? 'string'
  if (typeof answer !== type) return `must be a ${type}`
  if (field.type === 'select' && !field.choices.includes(String(answer)))
    return `must be one of ${field.choices.join(', ')}`
  return undefined
}
