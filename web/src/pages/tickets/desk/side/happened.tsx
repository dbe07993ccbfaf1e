import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { Ago } from '../../../../ui/data/time.tsx'
import { rich } from '../../../../ui/page/rich.ts'
import styles from '../desk.module.css'
import { t } from '../words.ts'
import { useChangeWords } from './change-words.ts'

const SHOWN = 12

/** The last changes of a ticket, the newest first. */
export function Happened({ ticket: { events } }: { ticket: TicketThread }) {
  const changesOf = useChangeWords()
  if (!events || events.length === 0) return null
  return (
    <section>
      <h2>{t.happened}</h2>
      <ul className={styles.events}>
        {events
          .slice(-SHOWN)
          .toReversed()
          .map(({ id, at, kind, actor, change }) => (
            <li key={id}>
              {rich(
                t.event({
                  kind,
                  who: actor.name ?? t.actor({ kind: actor.kind }),
                  when: () => <Ago at={at} />,
                }),
              )}
              {changesOf(change).map((field) => (
                <span key={field}>{field}</span>
              ))}
            </li>
          ))}
      </ul>
    </section>
  )
}
