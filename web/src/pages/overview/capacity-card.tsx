import { formatMib } from '@lodge/shared/units.ts'
import type { Reply } from '../../api.ts'
import { Meter } from '../../ui/data/meter.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Grid, Row, Text } from '../../ui/page/layout.tsx'

type Capacity = Reply<'GET /api/overview'>['capacity'][number]

function Survival({ capacity }: { capacity: Capacity }) {
  const loss = capacity.survivesLoss
  if (loss === null) return null
  return (
    <Pill tone={loss.survives ? 'ok' : 'warn'}>
      {loss.survives
        ? `Survives the loss of ${loss.nodeName}`
        : `${loss.homeless} without a place if ${loss.nodeName} is lost`}
    </Pill>
  )
}

/** The allocated and total capacity of each location. */
export function CapacityCard({ capacity }: { capacity: readonly Capacity[] }) {
  return (
    <Card title="Room">
      <Column gap={18}>
        {capacity.map((one) => (
          <Column key={one.location} gap={8}>
            <Row between>
              <Text strong>
                {one.location} · {one.nodesOnline} of {one.nodes} nodes online
              </Text>
              <Survival capacity={one} />
            </Row>
            <Grid least={220} gap={20}>
              <Meter
                label="Memory"
                value={one.memoryAllocatedMb}
                of={one.memoryMb}
                text={`${formatMib(one.memoryAllocatedMb)} allocated of ${formatMib(one.memoryMb)}`}
              />
              <Meter
                label="CPU"
                value={one.cpuAllocatedPercent}
                of={one.cpuPercent}
                text={`${one.cpuAllocatedPercent} % allocated of ${one.cpuPercent} %`}
              />
              <Meter
                label="Disk"
                value={one.diskAllocatedMb}
                of={one.diskMb}
                text={`${formatMib(one.diskAllocatedMb)} allocated of ${formatMib(one.diskMb)}`}
              />
            </Grid>
          </Column>
        ))}
      </Column>
    </Card>
  )
}
