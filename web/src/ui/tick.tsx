import { Checkbox } from '@mantine/core'
import './tick.css'

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
