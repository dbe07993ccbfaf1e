import type { Services } from '../../services.ts'
import { contentOf } from './outbox.ts'
import { mailSettings } from './settings.ts'
import * as store from './store.ts'
import { openTransport, type Transport } from './transport.ts'
import { UNSENT } from './unsent.ts'

/** Delay after each attempt but the last. */
export const RETRY_MINUTES = [1, 5, 30, 120, 360, 720, 1440] as const
const BATCH = 10
/** Longer than a batch can take; then another instance takes over. */
const LEASE_SECONDS = 300

/** Sends due messages. Concurrent instances never take the same message. */
export async function sendDue(services: Services): Promise<{ sent: number; failed: number }> {
  const done = { sent: 0, failed: 0 }
  for (;;) {
    // Anew for each batch: with settings that have changed since, they would fail and wait.
    const { host, ...rest } = await mailSettings(services.db)
    if (host === null) return done
    const due = await store.claimMessages(services.db, BATCH, LEASE_SECONDS)
    if (due.length === 0) return done
    const transport = await openTransport({ ...rest, host }, services.vault)
    try {
      const ends = await Promise.all(due.map((row) => sendOne(services, transport, row)))
      for (const end of ends) done[end]++
    } finally {
      transport.close()
    }
  }
}

async function sendOne(
  services: Services,
  transport: Transport,
  row: store.MessageRow,
): Promise<'sent' | 'failed'> {
  const { db, log } = services
  const content = contentOf(services, row)
  if (!content || row.expiresAt < new Date()) {
    const lastError = UNSENT.expired
    await store.endAttempt(db, row, { state: 'failed', lastError, endedAt: new Date() })
    return 'failed'
  }
  const { toAddress: to, messageId, unsubscribeUrl, conversation } = row
  const end = await transport.deliver({ ...content, to, messageId, unsubscribeUrl, conversation })
  if (end.sent) {
    const { smtpCode } = end
    await store.endAttempt(db, row, {
      state: 'sent',
      smtpCode,
      lastError: null,
      endedAt: new Date(),
    })
    return 'sent'
  }
  const { smtpCode, error: lastError, cause } = end
  const waitMinutes = RETRY_MINUTES[row.attempts - 1]
  log.warn({ messageId: row.messageId, attempts: row.attempts, smtpCode, cause }, 'mail not sent')
  if (end.permanent || waitMinutes === undefined)
    await store.endAttempt(db, row, { state: 'failed', smtpCode, lastError, endedAt: new Date() })
  else
    await store.endAttempt(db, row, {
      smtpCode,
      lastError,
      nextAttemptAt: new Date(Date.now() + waitMinutes * 60_000),
    })
  return 'failed'
}
