import { backoffMs } from '@lodge/shared/backoff.ts'
import type { BootAnswer } from '../../boot/ask.ts'
import type { ReconciledServer } from '../state/reconciled-server.ts'

export type Allowed = Extract<BootAnswer, { kind: 'allow' }>

const AGAIN = { leastMs: 1_000, mostMs: 30_000 }

/**
 * Waits until the control plane allows this server to boot, and reports why while it does not.
 * Gives up its semaphore place during each wait, so that a denied server does not block others.
 * @throws the signal's reason when it aborts first
 */
export async function awaitPermit(
  reconciler: ReconciledServer,
  abort: AbortSignal,
): Promise<{ leave: () => void; allowed: Allowed }> {
  const { around, serverId } = reconciler
  const waitsFor = (why: string) => {
    if (reconciler.bootWaitsFor === why) return
    reconciler.bootWaitsFor = why
    around.changed(serverId)
  }
  try {
    for (let refusals = 0; ; refusals++) {
      const leave = await around.semaphores.start.enter(abort)
      let answer: Awaited<ReturnType<typeof around.askToBoot>>
      try {
        answer = await around.askToBoot(serverId, reconciler.desired?.placementGeneration ?? 0)
        abort.throwIfAborted()
      } catch (error) {
        leave()
        throw error
      }
      if (answer.kind === 'allow') return { leave, allowed: answer }
      leave()
      waitsFor(`It may not boot yet: ${answer.why}`)
      await pause(reconciler, backoffMs(refusals, AGAIN), abort)
    }
  } finally {
    waitsFor('')
  }
}

function pause({ around }: ReconciledServer, waitMs: number, abort: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = around.clock.after(waitMs, () => {
      abort.removeEventListener('abort', stop)
      resolve()
    })
    const stop = () => {
      cancel()
      reject(abort.reason)
    }
    abort.addEventListener('abort', stop, { once: true })
    if (abort.aborted) stop()
  })
}
