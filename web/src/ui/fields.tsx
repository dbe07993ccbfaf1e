import { Checkbox, PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { describeCpu, parseCpu, parseMib, writeMib } from './size.ts'

export interface FieldProps<T> {
  label: string
  value: T
  onChange: (value: T) => void
  error?: string | undefined
  description?: ReactNode
  required?: boolean
  disabled?: boolean
}

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

interface AreaFieldProps extends FieldProps<string> {
  rows?: number
  mono?: boolean
  placeholder?: string
}

export function AreaField({
  onChange,
  rows = 6,
  mono,
  description,
  error,
  ...rest
}: AreaFieldProps) {
  return (
    <Textarea
      {...rest}
      {...(description === undefined ? {} : { description })}
      {...(error === undefined ? {} : { error })}
      {...(mono ? { ff: 'monospace' } : {})}
      rows={rows}
      withAsterisk={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

export interface Choice {
  readonly value: string
  readonly label: string
}

interface SelectFieldProps extends FieldProps<string> {
  choices: readonly Choice[]
  placeholder?: string
  searchable?: boolean
  onSearch?: (text: string) => void
  nothingFound?: string
}

export function SelectField(props: SelectFieldProps) {
  const {
    onChange,
    choices,
    value,
    searchable,
    onSearch,
    nothingFound,
    description,
    error,
    ...rest
  } = props
  return (
    <Select
      {...rest}
      {...(description === undefined ? {} : { description })}
      {...(error === undefined ? {} : { error })}
      {...(onSearch ? { onSearchChange: onSearch } : {})}
      data={choices.map((choice) => ({ ...choice }))}
      value={value === '' ? null : value}
      searchable={searchable ?? false}
      withAsterisk={false}
      allowDeselect={false}
      nothingFoundMessage={nothingFound ?? 'Nothing found'}
      comboboxProps={{ shadow: 'md', transitionProps: { duration: 80 } }}
      onChange={(next) => onChange(next ?? '')}
    />
  )
}

export function SwitchField({
  label,
  value,
  onChange,
  description,
  disabled,
  error,
}: FieldProps<boolean>) {
  return (
    <Switch
      label={label}
      checked={value}
      size="sm"
      disabled={disabled ?? false}
      {...(description === undefined ? {} : { description })}
      {...(error === undefined ? {} : { error })}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

interface TickProps {
  label: string
  /** The label is for screen readers only. */
  bare?: boolean
  checked: boolean
  indeterminate?: boolean
  onChange: (checked: boolean) => void
}

export function Tick({ label, bare, checked, indeterminate, onChange }: TickProps) {
  return (
    <Checkbox
      size="xs"
      checked={checked}
      indeterminate={indeterminate ?? false}
      {...(bare ? { 'aria-label': label } : { label })}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

interface MeasuredProps extends FieldProps<number | undefined> {
  placeholder?: string
}

interface MeasureProps extends MeasuredProps {
  parse: (text: string) => number | undefined
  write: (value: number) => string
  example: string
}

/** A text field for an amount with a unit; keeps what was typed until the amount changes from elsewhere. */
function MeasureField({ value, onChange, parse, write, example, error, ...rest }: MeasureProps) {
  const [typed, setTyped] = useState<{
    text: string
    amount: number | undefined
    unread: boolean
  }>()
  const current = typed !== undefined && typed.amount === value ? typed : undefined
  return (
    <TextField
      {...rest}
      value={current?.text ?? (value === undefined ? '' : write(value))}
      error={current?.unread ? `Write it like ${example}` : error}
      onChange={(text) => {
        const empty = text.trim() === ''
        const read = empty ? undefined : parse(text)
        const unread = !empty && read === undefined
        setTyped({ text, amount: unread ? value : read, unread })
        if (!unread) onChange(read)
      }}
    />
  )
}

/** A size in MiB; accepts `4g`, `4096`, `4 GiB`. */
export const SizeField = (props: MeasuredProps) => (
  <MeasureField {...props} parse={parseMib} write={writeMib} example="4 GiB or 512 MiB" />
)

/** An amount of processor in percent of one core; accepts `150`, `1.5 cores`. */
export const CpuField = (props: MeasuredProps) => (
  <MeasureField
    {...props}
    description={
      props.description ??
      (props.value === undefined ? '100 % is one core' : describeCpu(props.value))
    }
    parse={parseCpu}
    write={(percent) => `${percent} %`}
    example="150 % or 1.5 cores"
  />
)

interface NumberFieldProps extends FieldProps<number | undefined> {
  placeholder?: string
}

/** A whole number. */
export const NumberField = (props: NumberFieldProps) => (
  <MeasureField
    {...props}
    parse={(text) => (/^\s*-?\d+\s*$/.test(text) ? Number(text) : undefined)}
    write={String}
    example="25565"
  />
)
