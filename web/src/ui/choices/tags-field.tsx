import { TagsInput } from '@mantine/core'
import { type FieldProps, widthOf } from '../fields/field-props.ts'
import '../fields/field.css'
import './many-field.css'
import './select-field.css'

interface TagsFieldProps extends FieldProps<readonly string[]> {
  /** Words that are in use elsewhere. */
  suggestions: readonly string[]
  most: number
  placeholder?: string
  /** The label is for screen readers only. */
  bare?: boolean
}

/** Any words, chosen from those in use or typed; Enter, a comma or leaving the field adds one. */
export function TagsField(props: TagsFieldProps) {
  const { suggestions, most, value, onChange, label, error, description, placeholder, disabled } =
    props
  const { width = 'sentence', bare } = props
  return (
    <TagsInput
      {...(bare ? { 'aria-label': label } : { label })}
      {...widthOf(width)}
      {...(description === undefined ? {} : { description })}
      {...(error === undefined ? {} : { error })}
      {...(value.length > 0 || placeholder === undefined ? {} : { placeholder })}
      data={suggestions.filter((one) => !value.includes(one))}
      value={[...value]}
      maxTags={most}
      splitChars={[',', ' ']}
      acceptValueOnBlur
      disabled={disabled ?? false}
      comboboxProps={{ shadow: 'md', transitionProps: { duration: 80 } }}
      onChange={(next) => onChange(next)}
    />
  )
}
