import { networkOf } from '@lodge/shared/addresses.ts'
import { clientAddresses } from '@lodge/shared/client-addresses.ts'
import type { SftpGate } from '@lodge/shared/local/ssh/connection.ts'
import { openSftpPort } from '@lodge/shared/local/ssh/server.ts'
import { secondsUntilTaken } from '../../http/throttle.ts'
import type { Services } from '../../services.ts'
import { admit } from './admission.ts'
import { sftpBudgets } from './budgets.ts'
import { channelOf } from './channel.ts'
import { type Known, knownByKey, knownByPassword, wayOf } from './credentials.ts'
import { openHostKeys } from './host-keys.ts'
import { rechecking } from './recheck.ts'
import { recordConnection } from './records.ts'
import { touchCredential } from './store.ts'

/**
 * Withdrawn access ends within two seconds, even on a busy machine; the statements of a check are
 * cheap.
 */
const RECHECK_MS = 500

interface SshServer {
  readonly port: number
  stop(): Promise<void>
}

const gateOf = (services: Services): SftpGate<Known> => ({
  log: services.log,
  byPassword: (given) => knownByPassword(services, given),
  byKey: (given) => knownByKey(services, given),
  failed: async (address) =>
    (await secondsUntilTaken(services.db, sftpBudgets.sftpFailure, networkOf(address))) === 0,
  async welcome(known) {
    await touchCredential(services.db, wayOf(known))
    await recordConnection(services, known)
  },
  async open({ admitted: { user, server } }, address, channel, ends) {
    const admitted = await admit(services, { userId: user.id, serverId: server.id, address })
    if (admitted) await channelOf(services, admitted, channel, ends)
    return admitted !== undefined
  },
})

/** Opens the SSH port, which serves SFTP and nothing else. */
export async function openSshServer(
  services: Services,
  at: { readonly host: string; readonly port: number },
): Promise<SshServer> {
  const { log } = services
  const opened = await openSftpPort(at, {
    hostKeys: await openHostKeys(services),
    gate: gateOf(services),
    ...clientAddresses,
    log,
  })
  const recheck = rechecking(services, opened.connections)
  let checking = false
  const timer = setInterval(() => {
    if (checking) return
    checking = true
    recheck()
      .catch((error: unknown) => log.warn({ err: error }, 'could not check the SFTP connections'))
      .finally(() => {
        checking = false
      })
  }, RECHECK_MS)
  timer.unref()
  return {
    port: opened.port,
    async stop() {
      clearInterval(timer)
      await opened.stop()
    },
  }
}
