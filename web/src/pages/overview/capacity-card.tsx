import type { Reply } from '../../api.ts'
import { Meter } from '../../ui/data/meter.tsx'
import { formatMib } from '../../ui/data/numbers.ts'
import { Pill } from '../../ui/data/status.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Grid, Row, Text } from '../../ui/page/layout.tsx'
import styles from './overview.module.css'
import { t } from './words.ts'

type Capacity = Reply<'GET /api/overview'>['capacity'][number]

/** What happens to the servers of the fullest node when it is lost, in words. */
export function survivalWords({
  nodeName,
  survives,
  homeless,
}: NonNullable<Capacity['survivesLoss']>): string {
  if (survives) return t.everyServerFits({ node: nodeName })
  return t.serversHomeless({ node: nodeName, count: homeless })
}

/** Percent of one core, as cores. */
const cores = (percent: number): string => t.cores({ count: Math.round(percent / 10) / 10 })

const amountOf = (allocated: string, all: string): string => t.amountOf({ allocated, all })

/** The allocated and free capacity of each location, and whether it can lose a node. */
export function CapacityCard({ capacity }: { capacity: readonly Capacity[] }) {
  return (
    <Card title={t.capacity}>
      <ul className={styles.places}>
        {capacity.map((one) => (
          <li key={one.location}>
            <Place capacity={one} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Place({ capacity: one }: { capacity: Capacity }) {
  const free = Math.max(0, one.memoryMb - one.headroomMb - one.memoryAllocatedMb)
  return (
    <Column gap={8}>
      <Row between>
        <Row gap={8}>
          <Text strong>{one.location}</Text>
          <Text small muted>
            {t.place({ online: one.nodesOnline, nodes: one.nodes, free: formatMib(free) })}
          </Text>
        </Row>
        {one.survivesLoss === null ? null : (
          <Pill tone={one.survivesLoss.survives ? 'ok' : 'warn'}>
            {survivalWords(one.survivesLoss)}
          </Pill>
        )}
      </Row>
      <Grid least={220} gap={20}>
        <Meter
          label={t.memory}
          value={one.memoryAllocatedMb}
          of={one.memoryMb}
          text={amountOf(formatMib(one.memoryAllocatedMb), formatMib(one.memoryMb))}
        />
        <Meter
          label={t.cpu}
          value={one.cpuAllocatedPercent}
          of={one.cpuPercent}
          text={amountOf(cores(one.cpuAllocatedPercent), cores(one.cpuPercent))}
        />
        <Meter
          label={t.disk}
          value={one.diskAllocatedMb}
          of={one.diskMb}
          text={amountOf(formatMib(one.diskAllocatedMb), formatMib(one.diskMb))}
        />
      </Grid>
    </Column>
  )
}
