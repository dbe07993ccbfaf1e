import { Select } from '@mantine/core'
import { type Choice, type FieldProps, widthOf } from '../fields/field-props.ts'
import '../fields/field.css'
import './select-field.css'
import { t } from './words.ts'

interface SelectFieldProps extends FieldProps<string> {
  choices: readonly Choice[]
  placeholder?: string
  searchable?: boolean
  /** The label is for screen readers only. */
  bare?: boolean
  onSearch?: (text: string) => void
  nothingFound?: string
}

export function SelectField(props: SelectFieldProps) {
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
      onChange={(next) => onChange(next ?? '')}
    />
  )
}
