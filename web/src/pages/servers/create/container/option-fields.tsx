import type { InputKind } from '@lodge/shared/templates/rules/input-kind.ts'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import { VariableField } from '../../../../ui/form/variable-field.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { t } from '../words.ts'

interface Variable {
  readonly env: string
  readonly name: string
  readonly description: string
  readonly default: string
  readonly input: InputKind
}

interface OptionFieldsProps {
  form: {
    values: { variables: Record<string, string> }
    errors: Readonly<Record<string, string>>
    set: (name: 'variables', value: Record<string, string>) => void
  }
  variables: readonly Variable[]
}

/** The variables of a template, each with the control that fits its rules; nothing without variables. */
export function OptionFields({ form, variables }: OptionFieldsProps) {
  const given = form.values.variables
  if (variables.length === 0) return null
  return (
    <Card title={t.options}>
      <FieldGrid>
        {variables.map((variable) => (
          <VariableField
            key={variable.env}
            label={variable.name}
            description={variable.description || undefined}
            input={variable.input}
            value={given[variable.env] ?? variable.default}
            error={form.errors[`variables/${variable.env}`]}
            onChange={(value) => form.set('variables', { ...given, [variable.env]: value })}
          />
        ))}
      </FieldGrid>
    </Card>
  )
}
