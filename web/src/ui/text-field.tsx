import { TextInput } from '@mantine/core'
import type { FieldProps } from './field-props.ts'
import './field.css'

interface TextFieldProps extends FieldProps<string> {
  type?: 'text' | 'email' | 'search' | 'number'
  placeholder?: string
  autoComplete?: string
  autoFocus?: boolean
  mono?: boolean
}

export function TextField({ onChange, mono, description, error, ...rest }: TextFieldProps) {
  return (
    <TextInput
      {...rest}
      {...(description === undefined ? {} : { description })}
      {...(error === undefined ? {} : { error })}
      {...(mono ? { ff: 'monospace' } : {})}
      spellCheck={false}
      withAsterisk={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
