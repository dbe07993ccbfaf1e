import { useState } from 'react'
import type { FieldProps } from './field-props.ts'
import { describeCpu, parseCpu, parseMib, writeMib } from './size.ts'
import { TextField } from './text-field.tsx'

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
