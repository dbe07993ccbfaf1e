import { useEffect, useState } from 'react'
import { timestampText } from '../locale/timestamps.ts'
import { t } from '../page/words.ts'
import { ago, duration, moment } from './time-words.ts'

/** The current time in milliseconds, updated every `everyMs`. */
export function useNow(everyMs = 10_000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** A moment: relative within a week, otherwise the date; the exact time in the tooltip. */
export const Ago = ({ at }: { at: string }) => <Moment at={at} write={ago} />

/**
 * A moment after a word such as "since" or "until", where "3 days ago" would be wrong: `14:30`, `May
 * 3, 14:30`.
 */
export const At = ({ at }: { at: string }) => <Moment at={at} write={moment} />

function Moment({ at, write }: { at: string; write: (at: number, now: number) => string }) {
  const now = useNow()
  const date = new Date(at)
  const utc = date.toISOString().replace('T', ' ').slice(0, 19)
  const exact = t.exactTime({ time: timestampText(date), utc })
  return (
    <time dateTime={at} title={exact}>
      {write(date.getTime(), now)}
    </time>
  )
}

/** The time since a moment, e.g. an uptime. */
export function Since({ at }: { at: string }) {
  const now = useNow(1_000)
  return (
    <time dateTime={at} title={timestampText(at)}>
      {duration(now - Date.parse(at))}
    </time>
  )
}
