import { formatCpu } from '@lodge/shared/units.ts'
import { useEffect, useRef, useState } from 'react'
import type { Bound, FieldProps } from './field-props.ts'
import { parseCpu, parseMib, writeCores, writeCpuLike, writeMib, writeMibLike } from './size.ts'
import { TextField } from './text-field.tsx'
import { t } from './words.ts'

interface MeasuredProps extends FieldProps<number | undefined> {
  placeholder?: string
  bound?: Bound
}

interface MeasureProps extends MeasuredProps {
  parse: (text: string) => number | undefined
  write: (value: number) => string
  /** Formats a bound in the typed unit. */
  writeLike?: (typed: string, bound: number) => string
  example: string
  /** Whether to explain an amount that was typed in another form than it is written. */
  explains?: boolean
}

/**
 * A text field for an amount with a unit, typed in any of its forms. While typing, the meaning is
 * shown beside it; on blur, the field is reformatted. Unreadable text stays, counts as `NaN`, and no
 * form sends it.
 */
function MeasureField(props: MeasureProps) {
  const { value, onChange, parse, write, writeLike, example, explains, error, bound, ...rest } =
    props
  const [typed, setTyped] = useState<{ text: string; amount: number | undefined }>()
  const current = typed !== undefined && Object.is(typed.amount, value) ? typed : undefined
  const written = value === undefined || Number.isNaN(value) ? undefined : write(value)
  const text = current?.text ?? written ?? ''
  const meaning = explains && written !== undefined && written !== text.trim() ? written : undefined
  useForgottenWhenGone(value, onChange)
  return (
    <TextField
      width="number"
      autoComplete="off"
      {...rest}
      value={text}
      meaning={meaning === undefined ? undefined : t.meaning({ amount: meaning })}
      onBlur={() => {
        if (!Number.isNaN(value)) setTyped(undefined)
      }}
      error={
        Number.isNaN(value)
          ? t.writeLike({ example })
          : error && bound
            ? boundWords(bound, (amount) => writeLike?.(text, amount) ?? write(amount))
            : error
      }
      onChange={(next) => {
        const amount = next.trim() === '' ? undefined : (parse(next) ?? Number.NaN)
        setTyped({ text: next, amount })
        onChange(amount)
      }}
    />
  )
}

const boundWords = (bound: Bound, write: (amount: number) => string): string =>
  'most' in bound
    ? t.atMost({ amount: write(bound.most) })
    : t.atLeast({ amount: write(bound.least) })

/** A removed field must not leave an unreadable amount behind that nobody can correct. */
function useForgottenWhenGone(
  value: number | undefined,
  onChange: (value: number | undefined) => void,
): void {
  const last = useRef({ value, onChange, read: value })
  useEffect(() => {
    last.current = { value, onChange, read: Number.isNaN(value) ? last.current.read : value }
  })
  useEffect(
    () => () => {
      const { value, onChange, read } = last.current
      if (Number.isNaN(value)) onChange(read)
    },
    [],
  )
}

/** A size in MiB; accepts `4g`, `4096`, `4 GiB`. */
export const SizeField = (props: MeasuredProps) => (
  <MeasureField
    {...props}
    parse={parseMib}
    write={writeMib}
    writeLike={writeMibLike}
    explains
    example={t.sizeExample}
  />
)

/** An amount of processor in percent of one core; accepts `150`, `1.5 cores`. */
export const CpuField = (props: MeasuredProps) => (
  <MeasureField
    {...props}
    description={
      props.description ??
      (props.value === undefined || Number.isNaN(props.value) ? t.cpuHelp : writeCores(props.value))
    }
    parse={parseCpu}
    write={formatCpu}
    writeLike={writeCpuLike}
    explains
    example={t.cpuExample}
  />
)

interface NumberFieldProps extends FieldProps<number | undefined> {
  /** The label is for screen readers only. */
  bare?: boolean
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
