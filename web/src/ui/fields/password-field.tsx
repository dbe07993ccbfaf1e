import { PasswordInput } from '@mantine/core'
import type { FieldProps } from './field-props.ts'
import './field.css'

interface PasswordFieldProps extends FieldProps<string> {
  autoComplete: 'current-password' | 'new-password' | 'off'
  autoFocus?: boolean
}

export function PasswordField({ onChange, description, error, ...rest }: PasswordFieldProps) {
  return (
    <PasswordInput
      {...rest}
      {...(description === undefined ? {} : { description })}
      {...(error === undefined ? {} : { error })}
      withAsterisk={false}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
