import { Select } from '@mantine/core'
import { type Choice, type FieldProps, widthOf } from '../fields/field-props.ts'
import '../fields/field.css'
import './select-field.css'
import { t } from './words.ts'

interface SelectFieldProps<T extends string> extends FieldProps<T> {
  choices: readonly Choice<T>[]
  placeholder?: string
  searchable?: boolean
  /** The label is for screen readers only. */
  bare?: boolean
  onSearch?: (text: string) => void
  nothingFound?: string
}

/** Its value is always one of the choices, so it is typed as they are. */
export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const {
    onChange,
    choices,
    value,
    searchable,
    bare,
    label,
    onSearch,
    nothingFound,
    description,
    error,
    width,
    ...rest
  } = props
  return (
    <Select
      {...rest}
      {...widthOf(width ?? (bare ? 'fill' : 'name'))}
      {...(bare ? { 'aria-label': label } : { label })}
      {...(description === undefined ? {} : { description })}
      {...(error === undefined ? {} : { error })}
      {...(onSearch ? { onSearchChange: onSearch } : {})}
      data={choices.map((choice) => ({ ...choice }))}
      value={value === '' ? null : value}
      searchable={searchable ?? false}
      withAsterisk={false}
      allowDeselect={false}
      nothingFoundMessage={nothingFound ?? t.nothingFound}
      comboboxProps={{ shadow: 'md', transitionProps: { duration: 80 } }}
      onChange={(next) => {
        const chosen = choices.find((one) => one.value === next)
        if (chosen) onChange(chosen.value)
      }}
    />
  )
}
