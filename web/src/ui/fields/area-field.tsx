import { Textarea } from '@mantine/core'
import { type FieldProps, widthOf } from './field-props.ts'
import { MONO } from './text-field.tsx'
import './field.css'

interface AreaFieldProps extends FieldProps<string> {
  rows?: number
  mono?: boolean
  placeholder?: string
  /** The label is for screen readers only. */
  bare?: boolean
}

export function AreaField({
  onChange,
  rows = 6,
  mono,
  bare,
  label,
  description,
  error,
  width = 'sentence',
  ...rest
}: AreaFieldProps) {
  return (
    <Textarea
      {...rest}
      {...widthOf(width)}
      {...(bare ? { 'aria-label': label } : { label })}
      {...(description === undefined ? {} : { description })}
      {...(error === undefined ? {} : { error })}
      {...(mono ? MONO : {})}
      rows={rows}
      withAsterisk={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
