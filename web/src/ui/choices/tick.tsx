import { Checkbox } from '@mantine/core'
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
  const { checked, indeterminate, onChange, disabledBecause } = props
  const shown = props.bare
    ? { 'aria-label': props.label }
    : { label: props.label, description: disabledBecause ?? props.description }
  return (
    <Checkbox
      size="xs"
      checked={checked}
      indeterminate={indeterminate ?? false}
      disabled={disabledBecause !== undefined}
      {...shown}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
