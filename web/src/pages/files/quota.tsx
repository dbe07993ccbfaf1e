import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { Meter } from '../../ui/data/meter.tsx'
import { formatBytes } from '../../ui/data/numbers.ts'
import { Text } from '../../ui/page/layout.tsx'
import styles from './files.module.css'
import { t } from './words.ts'

/** How much of the server's disk is used, and how much by deleted files. */
export function Quota({
  serverId,
  onBin,
  onSpace,
}: {
  serverId: string
  onBin: () => void
  onSpace: () => void
}) {
  const { data } = useQuery({
    ...q('GET /api/servers/{id}/files/usage', { params: { id: serverId } }),
    retry: false,
  })
  if (!data || data.usedBytes === null) return null
  const used = formatBytes(data.usedBytes)
  return (
    <div className={styles.quota}>
      {data.limitBytes === null ? (
        <Text small muted>
          {t.diskUsed({ used })}
        </Text>
      ) : (
        <Meter
          compact
          label={t.disk}
          value={data.usedBytes}
          of={data.limitBytes}
          text={t.diskOf({ used, limit: formatBytes(data.limitBytes) })}
        />
      )}
      {data.binBytes ? (
        <button type="button" className={styles.inBin} onClick={onBin}>
          {t.inBin({ size: formatBytes(data.binBytes) })}
        </button>
      ) : null}
      <button type="button" className={styles.inBin} onClick={onSpace}>
        {t.whatTakes}
      </button>
    </div>
  )
}
