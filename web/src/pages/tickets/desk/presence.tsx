import { useQuery } from '@tanstack/react-query'
import Eye from 'lucide-react/icons/eye'
import { useEffect } from 'react'
import { api } from '../../../api.ts'
import { useMe } from '../../../session/session.ts'
import { useNow } from '../../../ui/data/time.tsx'
import { isHere, type Present, presentIn } from '../present.ts'
import styles from './desk.module.css'
import { t } from './words.ts'

const AGAIN_MS = 25_000
const LOOK_MS = 5_000

/** Tells the other agents that this person is viewing or answering this ticket, until they leave. */
function useTelling(ticketId: string, isReplying: boolean): void {
  const { viewing } = useMe()
  const tells = viewing === null
  useEffect(() => {
    if (!tells) return
    const params = { id: ticketId }
    const tell = (state: Present['state']): void => {
      api('POST /api/support/tickets/{id}/presence', {
        params,
        body: { state },
        keepalive: state === 'left',
        // A failure is ignored: it is repeated anyway.
      }).catch(() => undefined)
    }
    const now = (): void => {
      if (document.visibilityState === 'visible') tell(isReplying ? 'replying' : 'viewing')
    }
    now()
    const timer = setInterval(now, AGAIN_MS)
    return () => {
      clearInterval(timer)
      tell('left')
    }
  }, [ticketId, isReplying, tells])
}

interface PresenceProps {
  ticketId: string
  isReplying: boolean
}

/** Who else is viewing or answering the ticket. */
export function Presence({ ticketId, isReplying }: PresenceProps) {
  const { id: me } = useMe()
  useTelling(ticketId, isReplying)
  const now = useNow(LOOK_MS)
  const present = useQuery(presentIn(ticketId)).data ?? []
  const others = present.filter((one) => one.agent.id !== me && isHere(one, now))
  return (
    <div role="status" className={styles.presence}>
      {others.map(({ agent, state }) => (
        <span key={agent.id}>
          <Eye aria-hidden />
          {state === 'replying'
            ? t.replying({ name: agent.name ?? agent.email })
            : t.looking({ name: agent.name ?? agent.email })}
        </span>
      ))}
    </div>
  )
}
