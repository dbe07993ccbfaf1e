import { PasswordInput } from '@mantine/core'
import { type FieldProps, widthOf } from './field-props.ts'
import './field.css'
import { names } from './names.ts'

interface PasswordFieldProps extends FieldProps<string> {
  autoComplete: 'current-password' | 'new-password' | 'off'
  autoFocus?: boolean
}

export function PasswordField({
  onChange,
  description,
  error,
  width = 'address',
  ...rest
}: PasswordFieldProps) {
  return (
    <PasswordInput
      {...rest}
      {...widthOf(width)}
      {...(description === undefined ? {} : { description })}
      {...(error === undefined ? {} : { error })}
      withAsterisk={false}
      visibilityToggleButtonProps={{ 'aria-label': names.showPassword, tabIndex: 0 }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
