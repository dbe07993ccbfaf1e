import { ManyField } from '../../../ui/choices/many-field.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import type { FieldChoices } from './choices.ts'
import { asksMany, asksNothing, type ConditionDraft, isNumber } from './rule-draft.ts'
import { t } from './words.ts'

interface ConditionValueProps {
  label: string
  condition: ConditionDraft
  choices: ReturnType<FieldChoices>
  onChange: (value: Partial<Pick<ConditionDraft, 'text' | 'many'>>) => void
}

/** The value that a condition compares with. */
export function ConditionValue({ label, condition, choices, onChange }: ConditionValueProps) {
  const { field, op, text, many } = condition
  if (asksNothing(op)) return null
  if (asksMany(op))
    return (
      <ManyField
        bare
        label={label}
        placeholder={t.choose}
        choices={choices ?? []}
        value={many}
        onChange={(next) => onChange({ many: next })}
      />
    )
  if (choices === undefined)
    return (
      <TextField
        bare
        label={label}
        type={isNumber(field) ? 'number' : 'text'}
        autoComplete="off"
        value={text}
        onChange={(next) => onChange({ text: next })}
      />
    )
  return (
    <SelectField
      bare
      label={label}
      placeholder={op === 'changedFrom' || op === 'changedTo' ? t.nobody : t.choose}
      searchable={choices.length > 8}
      choices={choices}
      value={text}
      onChange={(next) => onChange({ text: next })}
    />
  )
}
