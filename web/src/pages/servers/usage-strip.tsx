import { formatMib } from '@lodge/shared/units.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { Meter } from '../../ui/data/meter.tsx'
import { Grid } from '../../ui/page/layout.tsx'
import { useOf } from './create/own/quota.ts'

const SHOWN = [
  ['servers', 'Servers', String],
  ['memoryMb', 'Memory', formatMib],
  ['cpuPercent', 'CPU', (percent: number) => `${percent}%`],
  ['diskMb', 'Disk', formatMib],
] as const

/** The use of the person's own limits; nothing when unlimited. */
export function UsageStrip() {
  const limits = useQuery({ ...q('GET /api/limits/me'), staleTime: 30_000 })
  const found = limits.data
  const uses = found
    ? SHOWN.flatMap(([part, label, write]) => {
        const use = useOf(found, part)
        return use ? [{ label, ...use, text: `${write(use.used)} of ${write(use.of)}` }] : []
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
