import type { InputKind } from '@lodge/shared/templates/rules/input-kind.ts'
import type { ReactNode } from 'react'
import { SelectField } from '../choices/select-field.tsx'
import { SwitchField } from '../choices/switch-field.tsx'
import { PasswordField } from '../fields/password-field.tsx'
import { TextField } from '../fields/text-field.tsx'
import { t } from './words.ts'

interface VariableFieldProps {
  label: string
  description?: ReactNode
  input: InputKind
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  disabled?: boolean
}

/** The control that fits a variable's rules; its value is always text. */
export function VariableField({ input, ...rest }: VariableFieldProps) {
  switch (input.kind) {
    case 'switch':
      return (
        <SwitchField
          {...rest}
          value={rest.value === input.on}
          onChange={(on) => rest.onChange(on ? input.on : input.off)}
        />
      )
    case 'select': {
      const known = input.options.map((value) => ({
        value,
        label: value === '' ? t.emptyValue : value,
      }))
      return <SelectField {...rest} choices={known} searchable={known.length > 10} />
    }
    case 'password':
      return <PasswordField {...rest} autoComplete="off" />
    case 'number': {
      const range =
        input.min !== undefined && input.max !== undefined
          ? t.range({ least: input.min, most: input.max })
          : undefined
      return <TextField {...rest} description={rest.description ?? range} />
    }
    case 'text':
      return <TextField {...rest} required={input.required} />
  }
}
