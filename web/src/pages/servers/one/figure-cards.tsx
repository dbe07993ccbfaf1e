import type { Server } from '@lodge/shared/servers.ts'
import { formatBytes, formatMib, MIB } from '@lodge/shared/units.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSamples } from '../../../live/samples.ts'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { Spark } from '../../../ui/data/spark.tsx'
import { memoryUse } from '../usage.ts'
import styles from './server.module.css'

const KEPT = 120

interface FigureProps {
  id: string
  name: string
  /** Follows the figure: `of 2 GiB`. */
  rest: string
  note?: string | undefined
  value: ReactNode
  values: readonly number[]
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

/** Processor, memory and network of the last hour, updated live. */
export function FigureCards({ server }: { server: Server }) {
  const { id, usage } = server
  const memory = memoryUse(server)
  const past = useQuery({
    ...q('GET /api/servers/{id}/metrics', { params: { id }, query: { range: 'hour' } }),
    staleTime: 60_000,
  })
  const live = useSamples(id, KEPT)
  const points = [
    ...(past.data?.points ?? []).map(
      ({ cpuPercent, memoryBytes, networkTxBytesPerSecond: sent }) => ({
        cpuPercent,
        memoryBytes,
        sent,
      }),
    ),
    ...live.map(({ cpuPercent, memoryBytes, networkTxBytesPerSecond: sent }) => ({
      cpuPercent,
      memoryBytes,
      sent: sent ?? 0,
    })),
  ].slice(-KEPT)
  return (
    <>
      <FigureCard
        id={id}
        name="CPU"
        rest={`of ${server.cpuPercent} %`}
        value={usage ? `${Math.round(usage.cpuPercent)} %` : '–'}
        values={points.map((point) => point.cpuPercent)}
        max={server.cpuPercent}
      />
      <FigureCard
        id={id}
        name={memory.label}
        rest={`of ${formatMib(server.memoryMb)}`}
        note={memory.note}
        value={usage ? formatBytes(usage.memoryBytes) : '–'}
        values={points.map((point) => point.memoryBytes)}
        max={server.memoryMb * MIB}
      />
      <FigureCard
        id={id}
        name="Network"
        rest="sent"
        value={usage ? `${formatBytes(usage.networkTxBytesPerSecond)}/s` : '–'}
        values={points.map((point) => point.sent)}
        max={1}
      />
    </>
  )
}
