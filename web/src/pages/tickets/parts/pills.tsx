import type { TicketPriority, TicketStatus } from '@lodge/shared/support/ticket-words.ts'
import type { Tone } from '@lodge/shared/theme/tokens.ts'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import ChevronsUp from 'lucide-react/icons/chevrons-up'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDot from 'lucide-react/icons/circle-dot'
import CirclePause from 'lucide-react/icons/circle-pause'
import Clock from 'lucide-react/icons/clock'
import Lock from 'lucide-react/icons/lock'
import Minus from 'lucide-react/icons/minus'
import Sparkles from 'lucide-react/icons/sparkles'
import type { ComponentType } from 'react'
import { entryOf } from '../../../ui/data/known.ts'
import { Pill } from '../../../ui/data/status.tsx'
import { t } from './words.ts'

type Icon = ComponentType<{ 'aria-hidden'?: boolean }>

const STATUS: Readonly<Record<TicketStatus, readonly [Tone, Icon]>> = {
  new: ['info', Sparkles],
  open: ['warn', CircleDot],
  pending: ['pend', Clock],
  on_hold: ['idle', CirclePause],
  solved: ['ok', CircleCheck],
  closed: ['idle', Lock],
}
/**
 * For customers, tickets that wait for the customer stand out; for staff, those that wait for staff.
 */
const OWN_TONE: Partial<Readonly<Record<TicketStatus, Tone>>> = { open: 'info', pending: 'warn' }

/** The status of a ticket, in the words of staff or of its customer. */
export function TicketPill({ status, own = false }: { status: TicketStatus; own?: boolean }) {
  const [tone, Icon] = entryOf(STATUS, status, () => ['idle', CircleDot])
  return (
    <Pill tone={own ? (OWN_TONE[status] ?? tone) : tone} icon={<Icon aria-hidden />}>
      {own ? t.ownStatus({ status }) : t.status({ status })}
    </Pill>
  )
}

const PRIORITY: Readonly<Record<TicketPriority, readonly [Tone, Icon]>> = {
  low: ['idle', ChevronDown],
  normal: ['idle', Minus],
  high: ['warn', ChevronUp],
  urgent: ['err', ChevronsUp],
}

export function PriorityPill({ priority }: { priority: TicketPriority }) {
  const [tone, Icon] = entryOf(PRIORITY, priority, () => ['idle', Minus])
  return (
    <Pill tone={tone} icon={<Icon aria-hidden />}>
      {t.priority({ priority })}
    </Pill>
  )
}
