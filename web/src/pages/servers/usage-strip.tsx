import { formatCpu, formatMib } from '@lodge/shared/units.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { Meter } from '../../ui/data/meter.tsx'
import { Grid } from '../../ui/page/layout.tsx'
import { useOf } from './create/own/quota.ts'
import { t } from './words.ts'

const shown = () =>
  [
    ['servers', t.servers, String],
    ['memoryMb', t.memory, formatMib],
    ['cpuPercent', t.cpu, formatCpu],
    ['diskMb', t.disk, formatMib],
  ] as const

/** The use of the person's own limits; nothing when unlimited. */
export function UsageStrip() {
  const limits = useQuery({ ...q('GET /api/limits/me'), staleTime: 30_000 })
  const found = limits.data
  const uses = found
    ? shown().flatMap(([part, label, write]) => {
        const use = useOf(found, part)
        const text = use && t.usedOf({ used: write(use.used), limit: write(use.of) })
        return use && text ? [{ label, ...use, text }] : []
      })
    : []
  if (uses.length === 0) return null
  return (
    <Grid least={170} gap={20}>
      {uses.map(({ label, used, of, text }) => (
        <Meter key={label} label={label} value={used} of={of} text={text} compact />
      ))}
    </Grid>
  )
}
