import { Switch } from '@mantine/core'
import type { FieldProps } from '../fields/field-props.ts'
import './switch-field.css'

interface SwitchFieldProps extends FieldProps<boolean> {
  /** Its name for screen readers, when the label alone is ambiguous. */
  name?: string
}

export function SwitchField({
  id,
  label,
  name,
  value,
  onChange,
  description,
  disabled,
  error,
}: SwitchFieldProps) {
  return (
    <Switch
      {...(id === undefined ? {} : { id })}
      label={label}
      {...(name === undefined ? {} : { 'aria-label': name })}
      checked={value}
      size="sm"
      withThumbIndicator={false}
      disabled={disabled ?? false}
      {...(description === undefined ? {} : { description })}
      {...(error === undefined ? {} : { error })}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
