import { Link } from '@tanstack/react-router'
import Bot from 'lucide-react/icons/bot'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { IconButton } from '../../ui/buttons/button.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { Avatar } from '../../ui/icons/avatar.tsx'
import { dateText, timestampText } from '../../ui/locale/timestamps.ts'
import { rich } from '../../ui/page/rich.ts'
import styles from './audit.module.css'
import type { AuditEntry } from './audit-entry.ts'
import { actorName, byDay, cutAround, pageOf, whatOf } from './audit-words.ts'
import { pluginMark } from './plugin-mark.tsx'
import { t } from './words.ts'

const DAY: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long' }
const DAY_MS = 86_400_000

/** A day as a heading, e.g. `Today`; the year appears only if it is not the current one. */
function dayOf(at: string | number): string {
  const day = dateText(at, DAY)
  const now = Date.now()
  if (dateText(at) === dateText(now)) return t.today
  if (dateText(at) === dateText(now - DAY_MS)) return t.yesterday
  const year: Intl.DateTimeFormatOptions = { year: 'numeric' }
  return dateText(at, year) === dateText(now, year) ? day : dateText(at, { ...DAY, ...year })
}

interface StoryProps {
  entries: readonly AuditEntry[]
  onShow: (entry: AuditEntry) => void
}

/** Audit entries as sentences, grouped by day. */
export function Story({ entries, onShow }: StoryProps) {
  return (
    <div className={styles.story}>
      {byDay(entries, dayOf).map(({ day, entries: group }) => (
        <section key={day} aria-label={day}>
          <h2>{day}</h2>
          <ol aria-label={t.dayList({ day })}>
            {group.map((entry) => (
              <Entry key={entry.id} entry={entry} onShow={onShow} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

function Entry({ entry, onShow }: { entry: AuditEntry; onShow: (entry: AuditEntry) => void }) {
  const { actor, at, address } = entry
  const name = actorName(actor)
  const parts = {
    actor: name,
    who: (text: string) => <b>{text}</b>,
    what: () => <What entry={entry} />,
  }
  const plugin = () => pluginMark(entry)
  return (
    <li>
      {actor.kind === 'system' ? (
        <span className={styles.avatar} aria-hidden>
          <Bot />
        </span>
      ) : (
        <Avatar email={name} />
      )}
      <p>
        {actor.kind === 'token'
          ? rich(t.entryByToken({ ...parts, token }))
          : actor.kind === 'plugin'
            ? rich(t.entryByPlugin({ ...parts, plugin }))
            : rich(t.entry(parts))}
      </p>
      <code>{address}</code>
      <time dateTime={at} title={timestampText(at)}>
        {timestampText(at, { timeStyle: 'short' })}
      </time>
      <IconButton
        label={t.details({ actor: name, what: whatOf(entry) })}
        size="small"
        onClick={() => onShow(entry)}
      >
        <ChevronRight />
      </IconButton>
    </li>
  )
}

const token = (text: string) => <Pill tone="info">{text}</Pill>

/** The action, with a link to the page of its object. */
export function What({ entry }: { entry: AuditEntry }) {
  const page = pageOf(entry)
  const what = whatOf(entry)
  const cut = cutAround(what, entry.detail.target)
  if (!page || !cut) return what
  return (
    <>
      {cut.before}
      <Link to={page.to} params={{ id: page.id }}>
        {cut.name}
      </Link>
      {cut.after}
    </>
  )
}
