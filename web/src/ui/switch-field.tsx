import { Switch } from '@mantine/core'
import type { FieldProps } from './field-props.ts'
import './switch-field.css'

export function SwitchField({
  label,
  value,
  onChange,
  description,
  disabled,
  error,
}: FieldProps<boolean>) {
  return (
    <Switch
      label={label}
      checked={value}
      size="sm"
      disabled={disabled ?? false}
      {...(description === undefined ? {} : { description })}
      {...(error === undefined ? {} : { error })}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
