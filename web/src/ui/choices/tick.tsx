import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import './tick.css'

interface TickProps {
  checked: boolean
  label: ReactNode
  description?: ReactNode
  onChange: (checked: boolean) => void
  disabledBecause?: string | undefined
}

export function Tick({ checked, label, description, onChange, disabledBecause }: TickProps) {
  return (
    <Checkbox
      size="xs"
      checked={checked}
      disabled={disabledBecause !== undefined}
      label={label}
      description={disabledBecause ?? description}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
