import { formatCpu } from '@lodge/shared/units.ts'
import { Meter } from '../../../../ui/data/meter.tsx'
import { formatMib } from '../../../../ui/data/numbers.ts'
import { readable } from '../../../../ui/fields/size.ts'
import type { Part } from '../container/values.ts'
import { t } from '../words.ts'
import { type Options, useOf } from './quota.ts'

interface PartWords {
  readonly part: Part
  readonly label: string
  /** The text relative to the person's limit. */
  readonly yours: string
  readonly write: (amount: number) => string
}

/** The sizes of a server with the texts of their limits. */
export const parts = (): readonly PartWords[] => [
  { part: 'memoryMb', label: t.memory, yours: t.yourMemory, write: formatMib },
  { part: 'cpuPercent', label: t.cpu, yours: t.yourCpu, write: formatCpu },
  { part: 'diskMb', label: t.disk, yours: t.yourDisk, write: formatMib },
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
          label={t.yourServers}
          value={servers.used + 1}
          of={servers.of}
          text={t.usedAfter({
            used: servers.used,
            after: servers.used + 1,
            limit: servers.of,
          })}
          compact
        />
      ) : null}
      {parts().map(({ part, yours, write }) => {
        const use = useOf(limits, part)
        const after = (use?.used ?? 0) + (readable(sizes[part]) ?? 0)
        return use ? (
          <Meter
            key={part}
            label={yours}
            value={after}
            of={use.of}
            text={t.usedAfter({
              used: write(use.used),
              after: write(after),
              limit: write(use.of),
            })}
            compact
          />
        ) : null
      })}
    </>
  )
}
