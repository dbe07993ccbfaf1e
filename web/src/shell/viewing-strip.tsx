import Eye from 'lucide-react/icons/eye'
import { useState } from 'react'
import { useMe } from '../session/session.ts'
import { useStopViewing } from '../session/viewing.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Ago } from '../ui/data/time.tsx'
import { toastRefused } from '../ui/notices/toast.tsx'
import { rich } from '../ui/page/rich.ts'
import styles from './strip.module.css'
import { t } from './words.ts'

/** Tells an administrator which customer they view as, and stops viewing. */
export function ViewingStrip() {
  const { email, viewing } = useMe()
  const stop = useStopViewing()
  const [busy, setBusy] = useState(false)
  if (viewing === null) return null
  const end = async () => {
    setBusy(true)
    await stop().catch((error) => toastRefused(t.notStopped, error))
    setBusy(false)
  }
  return (
    <section className={styles.strip} aria-label={t.viewing}>
      <Eye aria-hidden />
      <span className={styles.told}>
        {rich(
          t.viewingAs({
            who: () => <b>{email}</b>,
            until: () => <Ago at={viewing.until} />,
          }),
        )}
      </span>
      <Button size="small" busy={busy} onClick={() => void end()}>
        {t.stopViewing}
      </Button>
    </section>
  )
}
