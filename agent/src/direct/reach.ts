import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { RelayOpen } from '@lodge/proto/fleet.ts'
import type { DirectHost } from '@lodge/shared/direct-transfers.ts'
import type { Logger } from 'pino'
import { HungUp } from './dial.ts'

/** A node that was not reached is not tried again meanwhile: a server may be off that long each time. */
const AGAIN_MS = 60_000

/** The other node may be told of the connection after this one: how long it is waited for. */
const NOT_YET_MS = [100, 400, 1_000]

/** What a connection to another node is opened with. */
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

/** Told which way the bytes of a task go, if any go between two nodes. */
export type TellWay = (isDirect: boolean) => void

export function reachNodes(given: {
  readonly dial: (relay: RelayOpen) => Promise<Duplex>
  readonly dialDirectly: (host: DirectHost) => Promise<Duplex>
  readonly nowMs: () => number
  readonly log: Logger
}): Reach {
  const { dial, dialDirectly, nowMs, log } = given
  /** By address and certificate, which are new once the other agent has restarted. */
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
