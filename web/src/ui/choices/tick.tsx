import { Checkbox, CheckIcon } from '@mantine/core'
import type { ReactNode } from 'react'
import './tick.css'

interface TickCommon {
  checked: boolean
  indeterminate?: boolean
  onChange: (checked: boolean) => void
  disabledBecause?: string | undefined
}
/** With `bare` the label is for screen readers only. */
type TickProps = TickCommon &
  ({ bare: true; label: string } | { bare?: false; label: ReactNode; description?: ReactNode })

export function Tick(props: TickProps) {
  if (props.bare) return <BareTick {...props} />
  const { checked, indeterminate, onChange, disabledBecause } = props
  return (
    <Checkbox
      size="xs"
      checked={checked}
      indeterminate={indeterminate ?? false}
      disabled={disabledBecause !== undefined}
      label={props.label}
      description={disabledBecause ?? props.description}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

const { inner, input, icon } = Checkbox.classes
const box = ['mantine-focus-auto', 'mantine-Checkbox-input', input].join(' ')
const mark = `mantine-Checkbox-icon ${icon}`

/** Looks like the others. Lists have one in each row, where Mantine's would take most of the drawing. */
function BareTick({
  label,
  checked,
  indeterminate = false,
  onChange,
  disabledBecause,
}: TickCommon & { label: string }) {
  return (
    <div className="tick-bare">
      <div className={inner}>
        <input
          type="checkbox"
          className={box}
          ref={(element) => {
            if (element) element.indeterminate = indeterminate
          }}
          data-indeterminate={indeterminate || undefined}
          aria-label={label}
          checked={checked}
          disabled={disabledBecause !== undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {indeterminate ? (
          <svg viewBox="0 0 32 6" aria-hidden className={mark}>
            <rect width="32" height="6" fill="currentColor" rx="3" />
          </svg>
        ) : (
          <CheckIcon className={mark} />
        )}
      </div>
    </div>
  )
}
