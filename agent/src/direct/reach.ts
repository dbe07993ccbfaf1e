import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { RelayOpen } from '@lodge/proto/fleet.ts'
import type { DirectHost } from '@lodge/shared/direct-transfers.ts'
import type { Logger } from 'pino'
import { HungUp } from './dial.ts'

/** A node that could not be reached is not tried again for this long: each attempt keeps a server off. */
const AGAIN_MS = 60_000

/** Pauses between attempts: the other node may learn of the connection later than this one. */
const NOT_YET_MS = [100, 400, 1_000]

/** What is needed to open a connection to another node. */
export interface WayThere {
  readonly relay: RelayOpen
  readonly direct: DirectHost | undefined
}

/**
 * Connects to another node: directly where that works, else through the control plane, which expects
 * both ends in any case.
 * @returns the connection, paused, and which way it goes
 * @throws Error when the control plane cannot be reached either, or refuses the ticket
 */
export type Reach = (
  way: WayThere,
) => Promise<{ readonly socket: Duplex; readonly isDirect: boolean }>

/** Called with the way that the bytes of a task take, if any are sent between two nodes. */
export type TellWay = (isDirect: boolean) => void

export function reachNodes(given: {
  readonly dial: (relay: RelayOpen) => Promise<Duplex>
  readonly dialDirectly: (host: DirectHost) => Promise<Duplex>
  readonly nowMs: () => number
  readonly log: Logger
}): Reach {
  const { dial, dialDirectly, nowMs, log } = given
  /** Keyed by address and certificate, which changes when the other agent restarts. */
  const failedMs = new Map<string, number>()
  const isTried = (host: string) => nowMs() - (failedMs.get(host) ?? -Infinity) >= AGAIN_MS

  async function patiently(direct: DirectHost): Promise<Duplex> {
    for (const pauseMs of NOT_YET_MS) {
      try {
        return await dialDirectly(direct)
      } catch (error) {
        if (!(error instanceof HungUp)) throw error
        await setTimeout(pauseMs)
      }
    }
    return await dialDirectly(direct)
  }

  async function directly(direct: DirectHost): Promise<Duplex | undefined> {
    const { address, fingerprint } = direct
    const host = `${address} ${fingerprint}`
    if (!isTried(host)) return undefined
    try {
      const socket = await patiently(direct)
      failedMs.delete(host)
      return socket
    } catch (error) {
      for (const known of [...failedMs.keys()]) if (isTried(known)) failedMs.delete(known)
      failedMs.set(host, nowMs())
      log.info({ err: error, address }, 'the other node was not reached directly')
      return undefined
    }
  }

  return async ({ relay, direct }) => {
    const socket = direct && (await directly(direct))
    return socket ? { socket, isDirect: true } : { socket: await dial(relay), isDirect: false }
  }
}
