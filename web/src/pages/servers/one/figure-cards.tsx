import type { Server } from '@lodge/shared/servers.ts'
import { formatMib, MIB } from '@lodge/shared/units.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSamples } from '../../../live/samples.ts'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { figureText } from '../../../ui/data/chart-units.ts'
import { Spark } from '../../../ui/data/spark.tsx'
import { sparkSlots } from '../../../ui/data/spark-slots.ts'
import { useNow } from '../../../ui/data/time.tsx'
import { memoryUse } from '../usage.ts'
import styles from './server.module.css'

const KEPT = 240
const HOUR_MS = 3_600_000
const SLOTS = 120

interface FigureProps {
  id: string
  name: string
  /** Follows the name: `of 2 GiB`. */
  rest: string
  note?: string | undefined
  value: ReactNode
  values: readonly (number | null)[]
  max: number
}

function FigureCard({ id, name, rest, note, value, values, max }: FigureProps) {
  return (
    <Link to={paths.serverMetrics} params={{ id }} className={styles.spark ?? ''} title={note}>
      <span>
        {name} <span>{rest}</span>
      </span>
      <b>{value}</b>
      <Spark values={values} max={max} />
    </Link>
  )
}

/** CPU, memory and network of the last hour, updated live. */
export function FigureCards({ server }: { server: Server }) {
  const { id, usage } = server
  const memory = memoryUse(server)
  const now = useNow(HOUR_MS / SLOTS)
  const past = useQuery({
    ...q('GET /api/servers/{id}/metrics', { params: { id }, query: { range: 'hour' } }),
    staleTime: 60_000,
  })
  const live = useSamples(id, KEPT)
  const points = [
    ...(past.data?.points ?? []).map(
      ({ at, cpuPercent, memoryBytes, networkTxBytesPerSecond: sent }) => ({
        at: Date.parse(at),
        cpuPercent,
        memoryBytes,
        sent,
      }),
    ),
    ...live.map(({ at, cpuPercent, memoryBytes, networkTxBytesPerSecond: sent }) => ({
      at: Date.parse(at),
      cpuPercent,
      memoryBytes,
      sent: sent ?? 0,
    })),
  ]
  const slots = (pick: (point: (typeof points)[number]) => number) =>
    sparkSlots(
      points.map((point) => ({ at: point.at, value: pick(point) })),
      Math.max(now, points.at(-1)?.at ?? now),
      HOUR_MS,
      SLOTS,
    )
  return (
    <>
      <FigureCard
        id={id}
        name="CPU"
        rest={`of ${figureText('percent', server.cpuPercent)}`}
        value={usage ? figureText('percent', usage.cpuPercent) : '–'}
        values={slots((point) => point.cpuPercent)}
        max={server.cpuPercent}
      />
      <FigureCard
        id={id}
        name={memory.label}
        rest={`of ${formatMib(server.memoryMb)}`}
        note={memory.note}
        value={usage ? figureText('bytes', usage.memoryBytes) : '–'}
        values={slots((point) => point.memoryBytes)}
        max={server.memoryMb * MIB}
      />
      <FigureCard
        id={id}
        name="Network"
        rest="sent"
        value={usage ? figureText('bytesPerSecond', usage.networkTxBytesPerSecond) : '–'}
        values={slots((point) => point.sent)}
        max={1024}
      />
    </>
  )
}
