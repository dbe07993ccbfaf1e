import { TextInput } from '@mantine/core'
import type { FieldProps } from './field-props.ts'
import './field.css'

/** Only the input, not the label. */
export const MONO = { styles: { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } }

interface TextFieldProps extends FieldProps<string> {
  type?: 'text' | 'email' | 'search' | 'number'
  placeholder?: string
  autoComplete?: string
  autoFocus?: boolean
  mono?: boolean
  /** The label is for screen readers only. */
  bare?: boolean
}

export function TextField(props: TextFieldProps) {
  const { onChange, mono, bare, label, description, error, ...rest } = props
  return (
    <TextInput
      {...rest}
      {...(bare ? { 'aria-label': label } : { label })}
      {...(description === undefined ? {} : { description })}
      {...(error === undefined ? {} : { error })}
      {...(mono ? MONO : {})}
      spellCheck={false}
      withAsterisk={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
