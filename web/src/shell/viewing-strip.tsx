import Eye from 'lucide-react/icons/eye'
import { useState } from 'react'
import { useMe } from '../session/session.ts'
import { useStopViewing } from '../session/viewing.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Ago } from '../ui/data/time.tsx'
import { toastRefused } from '../ui/notices/toast.tsx'
import styles from './strip.module.css'

/** Tells an administrator which customer they view as, and stops viewing. */
export function ViewingStrip() {
  const { email, viewing } = useMe()
  const stop = useStopViewing()
  const [busy, setBusy] = useState(false)
  if (viewing === null) return null
  const end = async () => {
    setBusy(true)
    await stop().catch((error) => toastRefused('Viewing goes on', error))
    setBusy(false)
  }
  return (
    <section className={styles.strip} aria-label="Viewing as a customer">
      <Eye aria-hidden />
      <span className={styles.told}>
        You are viewing as <b>{email}</b>. Changes and consoles are off. It ends{' '}
        <Ago at={viewing.until} />.
      </span>
      <Button size="small" busy={busy} onClick={() => void end()}>
        Stop viewing
      </Button>
    </section>
  )
}
