import { TextInput } from '@mantine/core'
import { type FieldProps, widthOf } from './field-props.ts'
import './field.css'

/** Only the input, not the label. */
export const MONO = { styles: { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } }

interface TextFieldProps extends FieldProps<string> {
  type?: 'text' | 'email' | 'search' | 'number' | 'time' | 'date' | 'datetime-local'
  placeholder?: string
  autoComplete?: string
  autoFocus?: boolean
  mono?: boolean
  /** The label is for screen readers only. */
  bare?: boolean
  /** What the typed text means, at the end of the field: `= 4 GiB`. */
  meaning?: string | undefined
  onBlur?: () => void
}

export function TextField(props: TextFieldProps) {
  const { onChange, mono, bare, label, description, error, meaning, width, ...rest } = props
  return (
    <TextInput
      {...rest}
      {...widthOf(width ?? (bare ? 'fill' : 'address'))}
      {...(meaning === undefined
        ? {}
        : { rightSection: <small>{meaning}</small>, rightSectionWidth: 84 })}
      {...(bare ? { 'aria-label': label } : { label })}
      {...(description === undefined ? {} : { description })}
      {...(error === undefined ? {} : { error })}
      {...(mono ? MONO : {})}
      // A dialog would give the focus to its first control instead.
      {...(rest.autoFocus ? { 'data-autofocus': true } : {})}
      spellCheck={false}
      withAsterisk={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
