import { Autocomplete } from '@mantine/core'
import { type FieldProps, widthOf } from '../fields/field-props.ts'
import '../fields/field.css'
import './select-field.css'

interface SuggestFieldProps extends FieldProps<string> {
  suggestions: readonly string[]
  placeholder?: string
}

/** A text with suggestions of what was entered before. */
export function SuggestField(props: SuggestFieldProps) {
  const { suggestions, onChange, description, error, width = 'name', ...rest } = props
  return (
    <Autocomplete
      {...rest}
      {...widthOf(width)}
      {...(description === undefined ? {} : { description })}
      {...(error === undefined ? {} : { error })}
      data={[...suggestions]}
      withAsterisk={false}
      comboboxProps={{ shadow: 'md', transitionProps: { duration: 80 } }}
      onChange={onChange}
    />
  )
}
