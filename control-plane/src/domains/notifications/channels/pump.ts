import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Services } from '../../../services.ts'
import { deliverNext } from './deliver.ts'
import { claimChannels } from './delivery-store.ts'

/** Receivers called at the same time by one instance. */
const AT_ONCE = 50
/** How soon new messages are sent while other receivers are slow. */
const LOOK_MS = 500

/** Sends what is due until nothing is. A receiver that hangs takes one place and delays nobody. */
export async function deliverDue(
  services: Services,
  signal = new AbortController().signal,
): Promise<{ sent: number; failed: number }> {
  const done = { sent: 0, failed: 0 }
  const running = new Set<Promise<void>>()
  do {
    const free = signal.aborted ? 0 : AT_ONCE - running.size
    const claimed = free > 0 ? await claimChannels(services.db, free, randomUUID()) : []
    for (const channel of claimed) {
      const work = deliverNext(services, channel, signal)
        .then((end) => {
          if (end !== 'nothing') done[end]++
        })
        .catch((error: unknown) =>
          services.log.warn({ err: error, channelId: channel.id }, 'a message was not delivered'),
        )
        .finally(() => running.delete(work))
      running.add(work)
    }
    if (running.size > 0) await Promise.race([...running, pause(LOOK_MS)])
  } while (running.size > 0)
  return done
}
