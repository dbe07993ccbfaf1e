import CloudOff from 'lucide-react/icons/cloud-off'
import { useConnection } from '../live/connection.ts'
import { useNow } from '../ui/data/time.tsx'
import styles from './strip.module.css'
import { t } from './words.ts'

/** Warns that the page may be out of date because the event stream is down. */
export function ConnectionStrip() {
  const connection = useConnection()
  const now = useNow(1_000)
  if (connection.state !== 'lost') return null
  const seconds = Math.max(0, Math.ceil((connection.retryAt - now) / 1_000))
  return (
    <div className={styles.strip} role="status">
      <CloudOff aria-hidden />
      {t.connectionLost({ seconds })}
    </div>
  )
}
