import type { Config } from '../config.ts'
import { openMailServer } from '../domains/support/index.ts'
import type { Services } from '../services.ts'

/** Opens the port for mail to the support desk. One that is taken closes only this. */
export async function openInboundSmtp(
  { inboundSmtp }: Config,
  services: Services,
): Promise<{ stop(): Promise<void> }> {
  if (!inboundSmtp) return CLOSED
  try {
    const server = await openMailServer(services, inboundSmtp)
    services.smtp.port = server.port
    return server
  } catch (error) {
    services.log.error(
      { err: error, port: inboundSmtp.port },
      'No mail is received: the port could not be opened. Choose another with LODGE_INBOUND_SMTP_PORT, or set LODGE_INBOUND_SMTP=false',
    )
    return CLOSED
  }
}

const CLOSED = { stop: async () => {} }
