import type { Config } from '../config.ts'
import { openSshServer } from '../domains/sftp/index.ts'
import type { Services } from '../services.ts'

/**
 * Opens the port for SFTP. One that is taken closes only SFTP: the panel goes on without it.
 */
export async function openSftp(
  { sftp }: Config,
  services: Services,
): Promise<{ stop(): Promise<void> }> {
  if (!sftp) return CLOSED
  try {
    const server = await openSshServer(services, sftp)
    const [, host, port] = /^(.+?)(?::(\d+))?$/.exec(sftp.address ?? '') ?? []
    services.sftp.host = host ?? null
    services.sftp.port = port === undefined ? server.port : Number(port)
    return server
  } catch (error) {
    services.log.error(
      { err: error, port: sftp.port },
      'SFTP is off: its port could not be opened. Choose another with LODGE_SFTP_PORT, or set LODGE_SFTP=false',
    )
    return CLOSED
  }
}

const CLOSED = { stop: async () => {} }
