import { BackupCommands } from '@lodge/shared/backup-work.ts'
import type { Ctx } from '../../context.ts'
import { findServer } from '../servers/index.ts'
import { findTemplate } from '../templates/index.ts'

/** The console commands of a server's template before and after a backup. */
export async function commandsOf(
  { db }: Pick<Ctx, 'db'>,
  serverId: string,
): Promise<BackupCommands | undefined> {
  const server = await findServer(db, serverId)
  const template = server?.templateId ? await findTemplate(db, server.templateId) : undefined
  const commands = template?.document.runtime.backup
  return commands && BackupCommands.parse(commands)
}
