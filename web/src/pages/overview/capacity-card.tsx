import { formatMib } from '@lodge/shared/units.ts'
import type { Reply } from '../../api.ts'
import { Meter } from '../../ui/data/meter.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Grid, Row, Text } from '../../ui/page/layout.tsx'
import styles from './overview.module.css'

type Capacity = Reply<'GET /api/overview'>['capacity'][number]

/** What happens to the servers of the fullest node when it is lost, in words. */
export function survivalWords({
  nodeName,
  survives,
  homeless,
}: NonNullable<Capacity['survivesLoss']>): string {
  if (survives) return `If ${nodeName} fails, every server still fits`
  const servers = homeless === 1 ? '1 server has' : `${homeless} servers have`
  return `If ${nodeName} fails, ${servers} no room`
}

/** Percent of one core, as cores. */
const cores = (percent: number): string => {
  const count = Math.round(percent / 10) / 10
  return count === 1 ? '1 core' : `${count} cores`
}

/** The allocated and free capacity of each location, and whether it can lose a node. */
export function CapacityCard({ capacity }: { capacity: readonly Capacity[] }) {
  return (
    <Card title="Capacity">
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
            {one.nodesOnline} of {one.nodes} {one.nodes === 1 ? 'node' : 'nodes'} online ·{' '}
            {formatMib(free)} of memory free
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
          label="Memory"
          value={one.memoryAllocatedMb}
          of={one.memoryMb}
          text={`${formatMib(one.memoryAllocatedMb)} of ${formatMib(one.memoryMb)}`}
        />
        <Meter
          label="CPU"
          value={one.cpuAllocatedPercent}
          of={one.cpuPercent}
          text={`${cores(one.cpuAllocatedPercent)} of ${cores(one.cpuPercent)}`}
        />
        <Meter
          label="Disk"
          value={one.diskAllocatedMb}
          of={one.diskMb}
          text={`${formatMib(one.diskAllocatedMb)} of ${formatMib(one.diskMb)}`}
        />
      </Grid>
    </Column>
  )
}
