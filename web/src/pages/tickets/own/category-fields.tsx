import type { CategoryField } from '@lodge/shared/support/desk.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { SwitchField } from '../../../ui/choices/switch-field.tsx'
import { AreaField } from '../../../ui/fields/area-field.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import type { Answers } from '../parts/kept-draft.ts'
import { t } from './words.ts'

interface CategoryFieldsProps {
  fields: readonly CategoryField[]
  answers: Answers
  onChange: (answers: Answers) => void
}

const textOf = (answers: Answers, key: string): string => {
  const value = answers[key]
  return typeof value === 'string' ? value : ''
}

/** Why the fields of a category are not complete. */
export function missingAnswer(
  fields: readonly CategoryField[],
  answers: Answers,
): string | undefined {
  const empty = fields.find(
    ({ key, required, type }) => required && type !== 'checkbox' && !textOf(answers, key).trim(),
  )
  if (empty) return t.fieldNeeded({ label: empty.label })
  const odd = fields.find(
    ({ key, type }) => type === 'number' && Number.isNaN(Number(textOf(answers, key))),
  )
  return odd && t.numberNeeded({ label: odd.label })
}

/** The answers for the API; empty ones are left out. */
export const answersOf = (
  fields: readonly CategoryField[],
  answers: Answers,
): Record<string, string | number | boolean> =>
  Object.fromEntries(
    fields.flatMap(({ key, type }): [string, string | number | boolean][] => {
      if (type === 'checkbox') return [[key, answers[key] === true]]
      const typed = textOf(answers, key).trim()
      return typed === '' ? [] : [[key, type === 'number' ? Number(typed) : typed]]
    }),
  )

/** The additional fields of a category. */
export function CategoryFields({ fields, answers, onChange }: CategoryFieldsProps) {
  return fields.map(({ key, label, type, choices }) => {
    const set = (next: string | boolean): void => onChange({ ...answers, [key]: next })
    const props = { label, value: textOf(answers, key), onChange: set }
    if (type === 'select')
      return (
        <SelectField
          key={key}
          {...props}
          choices={choices.map((choice) => ({ value: choice, label: choice }))}
        />
      )
    if (type === 'checkbox')
      return <SwitchField key={key} label={label} value={answers[key] === true} onChange={set} />
    if (type === 'multiline') return <AreaField key={key} {...props} rows={3} width="fill" />
    return (
      <TextField
        key={key}
        {...props}
        width={type === 'number' ? 'number' : 'fill'}
        autoComplete="off"
      />
    )
  })
}
