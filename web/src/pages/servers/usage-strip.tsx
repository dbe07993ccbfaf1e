import { formatCpu } from '@lodge/shared/units.ts'
import { useQuery } from '@tanstack/react-query'
import { Meter } from '../../ui/data/meter.tsx'
import { formatMib } from '../../ui/data/numbers.ts'
import { Grid } from '../../ui/page/layout.tsx'
import { useOf } from './create/own/quota.ts'
import { limitsQuery } from './servers-query.ts'
import { t } from './words.ts'

const shown = () =>
  [
    ['servers', t.servers, String],
    ['memoryMb', t.memory, formatMib],
    ['cpuPercent', t.cpu, formatCpu],
    ['diskMb', t.disk, formatMib],
  ] as const

/**
 * The usage of the person's own limits; nothing when unlimited. While loading, its space is reserved,
 * so that the list below does not jump.
 */
export function UsageStrip() {
  const { data, isPending } = useQuery(limitsQuery)
  const uses = isPending
    ? shown().map(([, label]) => ({ label, used: null, of: 1, text: '–' }))
    : shown().flatMap(([part, label, write]) => {
        const use = data && useOf(data, part)
        const text = use && t.usedOf({ used: write(use.used), limit: write(use.of) })
        return use && text ? [{ label, ...use, text }] : []
      })
  if (uses.length === 0) return null
  return (
    <Grid least={170} gap={20}>
      {uses.map(({ label, used, of, text }) => (
        <Meter key={label} label={label} value={used} of={of} text={text} compact />
      ))}
    </Grid>
  )
}
