import type { StoredBackupSettings } from '@lodge/shared/backups.ts'
import { hasPermission, type User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'

/** Why the host does not let the caller download; null if it does. */
export const whyNoDownload = (
  { actor }: Pick<Ctx<User>, 'actor'>,
  { downloads }: Pick<StoredBackupSettings, 'downloads'>,
): string | null =>
  downloads || hasPermission(actor, 'servers.backups')
    ? null
    : 'The host does not offer backups for download'
