import { MultiSelect } from '@mantine/core'
import { type Choice, type FieldProps, widthOf } from '../fields/field-props.ts'
import '../fields/field.css'
import './many-field.css'
import './select-field.css'

interface ManyFieldProps extends FieldProps<readonly string[]> {
  choices: readonly Choice[]
  placeholder?: string
  bare?: boolean
}

/** Several of many, found by typing. A chosen one that is no longer available stays removable. */
export function ManyField(props: ManyFieldProps) {
  const {
    choices,
    value,
    onChange,
    label,
    bare,
    error,
    description,
    placeholder,
    disabled,
    width,
  } = props
  const gone = value.filter((one) => !choices.some((choice) => choice.value === one))
  return (
    <MultiSelect
      {...widthOf(width ?? (bare ? 'fill' : 'address'))}
      {...(bare ? { 'aria-label': label } : { label })}
      {...(description === undefined ? {} : { description })}
      {...(error === undefined ? {} : { error })}
      {...(value.length > 0 || placeholder === undefined ? {} : { placeholder })}
      data={[...choices, ...gone.map((one) => ({ value: one, label: one }))].map((one) => ({
        ...one,
      }))}
      value={[...value]}
      searchable
      disabled={disabled ?? false}
      nothingFoundMessage="Nothing found"
      comboboxProps={{ shadow: 'md', transitionProps: { duration: 80 } }}
      onChange={(next) => onChange(next)}
    />
  )
}
