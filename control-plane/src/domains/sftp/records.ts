import { record } from '../../audit/record.ts'
import { contextFor } from '../../context.ts'
import { secondsUntilTaken } from '../../http/throttle.ts'
import type { Services } from '../../services.ts'
import { sftpBudgets } from './budgets.ts'
import type { Known } from './credentials.ts'

export const sftpActions = {
  'sftp.connected': 'connected to the files of {target} by SFTP',
}

/** Clients open many connections: records one per client every few minutes. */
export async function recordConnection(
  services: Services,
  { credential, admitted: { user, server } }: Known,
): Promise<void> {
  const key = `${user.id} ${server.id} ${user.address}`
  if ((await secondsUntilTaken(services.db, sftpBudgets.sftpRecord, key)) > 0) return
  const ctx = contextFor(services, user)
  await ctx.transaction((ctx) =>
    record(ctx, {
      action: 'sftp.connected',
      targetId: server.id,
      serverId: server.id,
      detail: { target: server.name, body: { by: credential.kind } },
    }),
  )
}
