import type { SenderCheck } from '@lodge/shared/support/sender-check.ts'
import type { TicketMessage } from '@lodge/shared/support/tickets.ts'
import AtSign from 'lucide-react/icons/at-sign'
import ShieldCheck from 'lucide-react/icons/shield-check'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Pill } from '../../../ui/data/status.tsx'
import { t } from './words.ts'

const checksOf = ({ by, dkim, spf, dmarc }: SenderCheck): string =>
  t.checks({ by, dkim: dkim.result, spf: spf.result, dmarc: dmarc.result })

/** Whether a mail's sender is proven; nothing for messages written in the panel. */
export function SenderPill({ message }: { message: TicketMessage }) {
  const { sender, unverifiedSender } = message
  if (sender?.verified)
    return (
      <Pill tone="ok" icon={<ShieldCheck aria-hidden />} title={checksOf(sender)}>
        {t.verified({ domain: sender.domain ?? '' })}
      </Pill>
    )
  if (unverifiedSender)
    return (
      <Pill
        tone="warn"
        icon={<TriangleAlert aria-hidden />}
        title={sender ? checksOf(sender) : t.unverifiedHelp}
      >
        {t.unverified}
      </Pill>
    )
  if (sender === null) return null
  return (
    <Pill tone="idle" icon={<AtSign aria-hidden />} title={checksOf(sender)}>
      {t.knownAddress}
    </Pill>
  )
}
