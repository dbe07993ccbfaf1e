import { formatMib } from '@lodge/shared/units.ts'
import { Meter } from '../../../../ui/data/meter.tsx'
import { readable } from '../../../../ui/fields/size.ts'
import type { Part } from '../container/values.ts'
import { type Options, useOf } from './quota.ts'

export const PARTS: readonly (readonly [Part, string, (amount: number) => string])[] = [
  ['memoryMb', 'Memory', formatMib],
  ['cpuPercent', 'CPU', (percent) => `${percent}%`],
  ['diskMb', 'Disk', formatMib],
]

interface QuotaMetersProps {
  limits: Options['limits']
  /** Sizes of the new server. */
  sizes: Readonly<Record<Part, number | undefined>>
}

/** What a new server leaves of the limits. */
export function QuotaMeters({ limits, sizes }: QuotaMetersProps) {
  const servers = useOf(limits, 'servers')
  return (
    <>
      {servers ? (
        <Meter
          label="Your servers"
          value={servers.used + 1}
          of={servers.of}
          text={`${servers.used} → ${servers.used + 1} of ${servers.of}`}
          compact
        />
      ) : null}
      {PARTS.map(([part, label, write]) => {
        const use = useOf(limits, part)
        const after = (use?.used ?? 0) + (readable(sizes[part]) ?? 0)
        return use ? (
          <Meter
            key={part}
            label={`Your ${label === 'CPU' ? label : label.toLowerCase()}`}
            value={after}
            of={use.of}
            text={`${write(use.used)} → ${write(after)} of ${write(use.of)}`}
            compact
          />
        ) : null
      })}
    </>
  )
}
