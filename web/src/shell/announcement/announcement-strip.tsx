import { useQuery } from '@tanstack/react-query'
import Megaphone from 'lucide-react/icons/megaphone'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { q } from '../../query.ts'
import { IconButton } from '../../ui/buttons/button.tsx'
import styles from '../strip.module.css'
import { t } from './words.ts'

const KEY = 'lodge.announcement'
const EVERY_MS = 5 * 60_000

function putAway(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** The host's announcement, until it is over or dismissed. */
export default function AnnouncementStrip() {
  const { data } = useQuery({
    ...q('GET /api/branding/announcement'),
    staleTime: EVERY_MS,
    refetchInterval: EVERY_MS,
  })
  const [away, setAway] = useState(putAway)
  if (!data || (data.dismissible && away === data.id)) return null
  const dismiss = () => {
    setAway(data.id)
    try {
      localStorage.setItem(KEY, data.id)
    } catch {
      // Without storage it returns with the next visit.
    }
  }
  return (
    <section
      className={`${styles.strip} ${data.severity === 'info' ? styles.info : data.severity === 'critical' ? styles.critical : ''}`}
      aria-label={t.announcement}
    >
      <Megaphone aria-hidden />
      <span className={styles.told}>{data.text}</span>
      {data.link === null ? null : (
        <a href={data.link} target="_blank" rel="noreferrer">
          {t.readMore}
        </a>
      )}
      {data.dismissible ? (
        <IconButton size="small" label={t.hideAnnouncement} onClick={dismiss}>
          <X />
        </IconButton>
      ) : null}
    </section>
  )
}
