import { z } from 'zod'
import { TRUE_VALUES } from './check-variable.ts'
import type { Rule } from './rule.ts'

/** The control a form shows for a variable, with the values it may send. */
export const InputKind = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('switch'), on: z.string(), off: z.string() }),
  z.object({
    kind: z.literal('select'),
    options: z.array(z.string()).readonly(),
    emptyAllowed: z.boolean(),
  }),
  z.object({
    kind: z.literal('number'),
    min: z.number().optional(),
    max: z.number().optional(),
    integer: z.boolean(),
  }),
  z.object({ kind: z.literal('password'), maxLength: z.int().optional() }),
  z.object({ kind: z.literal('text'), maxLength: z.int().optional(), required: z.boolean() }),
])
export type InputKind = z.infer<typeof InputKind>

export interface InputVariable {
  readonly default: string
  readonly rules: readonly Rule[]
  readonly secret: boolean
}

const FALSE_VALUES = ['0', 'false', 'no', 'off']

/** Chooses the control from the rules; a secret is always a password field. */
export function inputKind(variable: InputVariable): InputKind {
  const { rules } = variable
  const has = (name: Rule['rule']) => rules.some((rule) => rule.rule === name)
  const maxLength = lengthLimit(rules)
  if (variable.secret)
    return maxLength === undefined ? { kind: 'password' } : { kind: 'password', maxLength }
  const options = rules.find((rule) => rule.rule === 'in')
  if (options && 'values' in options) {
    const [on, off] = pair(options.values)
    if (on !== undefined && off !== undefined) return { kind: 'switch', on, off }
    return { kind: 'select', options: options.values, emptyAllowed: !has('required') }
  }
  if (has('boolean')) {
    const words = ['true', 'false'].includes(variable.default.toLowerCase())
    return words
      ? { kind: 'switch', on: 'true', off: 'false' }
      : { kind: 'switch', on: '1', off: '0' }
  }
  if (has('numeric') || has('integer') || rules.some((rule) => rule.rule.includes('digits'))) {
    return { kind: 'number', integer: !has('numeric'), ...numberRange(rules) }
  }
  const required = has('required')
  return maxLength === undefined
    ? { kind: 'text', required }
    : { kind: 'text', maxLength, required }
}

/** The true and false values of a list of exactly two such values. */
function pair(values: readonly string[]): [string?, string?] {
  if (values.length !== 2) return []
  const on = values.find((value) => TRUE_VALUES.includes(value.toLowerCase()))
  const off = values.find((value) => FALSE_VALUES.includes(value.toLowerCase()))
  return [on, off]
}

function numberRange(rules: readonly Rule[]): { min?: number; max?: number } {
  const range: { min?: number; max?: number } = {}
  const numeric = rules.some((rule) => rule.rule === 'numeric' || rule.rule === 'integer')
  for (const rule of rules) {
    if (rule.rule === 'digits_between' || rule.rule === 'max_digits' || rule.rule === 'digits') {
      const digits = 'max' in rule ? rule.max : rule.value
      range.min = Math.max(range.min ?? 0, 0)
      if (digits <= 15)
        range.max = Math.min(range.max ?? Number.POSITIVE_INFINITY, 10 ** digits - 1)
    }
    if (!numeric) continue
    if (rule.rule === 'min' || rule.rule === 'gte') range.min = rule.value
    if (rule.rule === 'max' || rule.rule === 'lte') range.max = rule.value
    if (rule.rule === 'between') {
      range.min = rule.min
      range.max = rule.max
    }
  }
  return range
}

function lengthLimit(rules: readonly Rule[]): number | undefined {
  for (const rule of rules) {
    if (rule.rule === 'max' || rule.rule === 'size') return rule.value
    if (rule.rule === 'between') return rule.max
  }
  return undefined
}
