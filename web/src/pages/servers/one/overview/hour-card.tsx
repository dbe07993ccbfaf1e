import type { Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { useSamples } from '../../../../live/samples.ts'
import { paths } from '../../../../paths.ts'
import { q } from '../../../../query.ts'
import { LinkButton } from '../../../../ui/buttons/link.tsx'
import { Spark } from '../../../../ui/data/spark.tsx'
import { useNow } from '../../../../ui/data/time.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import styles from './overview.module.css'
import { HOUR_MS, SLOTS, trends } from './peaks.ts'
import { t } from './words.ts'

/** Live samples; a few come between two parts of the hour. */
const KEPT = 240

/** The trends of the last hour, updated live. */
export function HourCard({ server }: { server: Server }) {
  const params = { id: server.id }
  const past = useQuery({
    ...q('GET /api/servers/{id}/metrics', { params, query: { range: 'hour' } }),
    staleTime: 60_000,
  })
  const live = useSamples(server.id, KEPT)
  const now = useNow(HOUR_MS / SLOTS)
  const moments = [...(past.data?.points ?? []), ...live].map(
    ({ at, cpuPercent, memoryBytes, networkTxBytesPerSecond }) => ({
      at: Date.parse(at),
      cpuPercent,
      memoryBytes,
      sent: networkTxBytesPerSecond ?? 0,
    }),
  )
  return (
    <Card
      title={t.lastHour}
      actions={
        <LinkButton to={paths.serverMetrics} params={params} size="small" kind="quiet">
          {t.allMetrics}
        </LinkButton>
      }
    >
      <div className={styles.trends}>
        {trends(server, moments, Math.max(now, moments.at(-1)?.at ?? now)).map(
          ({ name, values, max, peak }) => (
            <div key={name} className={styles.trend}>
              <p>
                <b>{name}</b> <span>{peak}</span>
              </p>
              <Spark values={values} max={max} />
            </div>
          ),
        )}
      </div>
    </Card>
  )
}
