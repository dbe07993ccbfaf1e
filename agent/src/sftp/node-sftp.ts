import type { Duplex } from 'node:stream'
import type { DesiredNode } from '@lodge/proto/fleet.ts'
import { clientAddresses } from '@lodge/shared/client-addresses.ts'
import { errorCode } from '@lodge/shared/error-code.ts'
import { openSftpPort, type SftpPort } from '@lodge/shared/local/ssh/server.ts'
import type { SftpReport } from '@lodge/shared/sftp-nodes.ts'
import type { Logger } from 'pino'
import type { Identity } from '../enrollment/identity.ts'
import { whyNoPort } from '../why-no-port.ts'
import { sftpJudge } from './control-plane.ts'
import { type Guest, sftpGate } from './gate.ts'
import { hostKeysIn } from './host-keys.ts'
import { recheckGuests } from './rechecking.ts'

/** How soon a port that was taken is tried again, and a report that did not arrive. */
const AGAIN_MS = 5_000

/** The port on which this node serves the files of its servers by SFTP, where its operator wants one. */
export interface NodeSftp {
  setDesired(node: Pick<DesiredNode, 'sftpPort'>): void
  close(): Promise<void>
}

export function nodeSftp(given: {
  readonly identity: Identity
  /** Where the host keys are kept. */
  readonly folder: string
  readonly connect: (serverId: string) => Promise<Duplex>
  readonly log: Logger
}): NodeSftp {
  const { identity, folder, connect, log } = given
  const judge = sftpJudge(identity)
  const gate = sftpGate({ judge, connect, log })
  const nobody: ReadonlySet<never> = new Set()
  let wanted = 0
  let open: SftpPort<Guest> | undefined
  let keys: Awaited<ReturnType<typeof hostKeysIn>> = []
  let closed = false
  let work = Promise.resolve()
  let again: NodeJS.Timeout | undefined
  const stopLooking = recheckGuests(judge, () => open?.connections ?? nobody, log)

  async function openWanted(): Promise<string | null> {
    if (open?.port === wanted) return null
    await open?.stop()
    open = undefined
    keys = []
    if (wanted === 0) return null
    try {
      keys = await hostKeysIn(folder)
      const options = {
        hostKeys: keys.map(({ privateKey }) => privateKey),
        ...clientAddresses,
        ...{ gate, log },
      }
      open = await openSftpPort({ host: '::', port: wanted }, options).catch((error: unknown) => {
        if (errorCode(error) !== 'EAFNOSUPPORT' && errorCode(error) !== 'EADDRNOTAVAIL') throw error
        return openSftpPort({ host: '0.0.0.0', port: wanted }, options)
      })
      log.info({ port: wanted }, 'SFTP is open')
      return null
    } catch (error) {
      log.warn({ err: error, port: wanted }, 'the port of SFTP could not be opened')
      return whyNoPort(wanted, error)
    }
  }

  async function reconcile(): Promise<void> {
    if (closed) return
    clearTimeout(again)
    const why = await openWanted()
    const report: SftpReport = {
      port: open?.port ?? null,
      why,
      hostKeys: keys.map(({ type, fingerprint }) => ({ type, fingerprint })),
    }
    const isReported = await judge.report(report).then(
      () => true,
      (error: unknown) => {
        log.debug({ err: error }, 'the port of SFTP could not be reported')
        return false
      },
    )
    if (closed || (isReported && why === null)) return
    again = setTimeout(next, AGAIN_MS)
    again.unref()
  }

  const next = () => {
    work = work.then(reconcile).catch((error: unknown) => {
      log.error({ err: error }, 'SFTP of this node could not be set up')
    })
  }

  return {
    setDesired({ sftpPort }) {
      // A node that never had one says nothing, as those of before.
      if (sftpPort === 0 && wanted === 0) return
      wanted = sftpPort
      next()
    },
    async close() {
      closed = true
      clearTimeout(again)
      stopLooking()
      await work
      await open?.stop()
      judge.close()
    },
  }
}
