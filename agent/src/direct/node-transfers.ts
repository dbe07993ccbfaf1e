import type { TLSSocket } from 'node:tls'
import type { DesiredNode, DirectGuest } from '@lodge/proto/fleet.ts'
import type { TransferReport } from '@lodge/shared/direct-transfers.ts'
import type { Logger } from 'pino'
import type { Identity } from '../enrollment/identity.ts'
import { dial } from '../relay/dial.ts'
import { whyNoPort } from '../why-no-port.ts'
import { makeCertificate } from './certificate.ts'
import { dialDirectly } from './dial.ts'
import { DirectGuests, type DirectPort, openDirectPort } from './port.ts'
import { type Reach, reachNodes } from './reach.ts'

/** How soon a port that was taken is tried again. */
const AGAIN_MS = 5_000

/** This node as one end of connections between nodes, and its port for them if its operator wants one. */
export interface NodeTransfers {
  readonly reach: Reach
  setDesired(node: Pick<DesiredNode, 'transferPort'>): void
  /** Expects a node at the port; nothing happens while none is open. */
  expect(guest: DirectGuest, accept: (socket: TLSSocket) => void): void
  /** The report as JSON. */
  latest(): string
  /** The report if it differs from the last one that was told, else undefined. */
  news(): string | undefined
  close(): Promise<void>
}

/** @param changed called when there are news */
export function nodeTransfers({
  identity,
  log,
  changed,
}: {
  readonly identity: Identity
  readonly log: Logger
  readonly changed: () => void
}): NodeTransfers {
  const certificate = makeCertificate()
  const guests = new DirectGuests()
  let wanted = 0
  let open: { readonly wanted: number; readonly port: DirectPort } | undefined
  let why: string | null = null
  let reported: string | undefined
  let closed = false
  let work = Promise.resolve()
  let again: NodeJS.Timeout | undefined

  const report = (): string => {
    const { fingerprint } = certificate
    const now: TransferReport = { port: open?.port.port ?? null, why, fingerprint }
    return JSON.stringify(now)
  }

  async function reconcile(): Promise<void> {
    clearTimeout(again)
    if (closed || open?.wanted === wanted) return
    const port = wanted
    open?.port.close()
    open = undefined
    why = null
    try {
      if (port !== 0)
        open = { wanted: port, port: await openDirectPort({ port, certificate, guests, log }) }
    } catch (error) {
      log.warn({ err: error, port }, 'the port for transfers could not be opened')
      why = whyNoPort(port, error)
      again = setTimeout(next, AGAIN_MS)
      again.unref()
    }
    if (report() !== reported) changed()
  }

  const next = () => {
    work = work.then(reconcile).catch((error: unknown) => {
      log.error({ err: error }, 'the port for transfers could not be set up')
    })
  }

  return {
    reach: reachNodes({
      dial: (relay) => dial(identity, relay),
      dialDirectly: (host) => dialDirectly(certificate, host),
      nowMs: () => performance.now(),
      log,
    }),
    setDesired({ transferPort }) {
      wanted = transferPort
      next()
    },
    expect(guest, accept) {
      if (open) guests.expect(guest, accept)
    },
    latest() {
      reported = report()
      return reported
    },
    news() {
      const now = report()
      if (now === reported) return undefined
      reported = now
      return now
    },
    async close() {
      closed = true
      clearTimeout(again)
      await work
      open?.port.close()
    },
  }
}
