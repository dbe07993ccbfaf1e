import type { BackupStanding } from '@lodge/shared/backups.ts'
import { why } from '../../../../panel/said.ts'
import { SwitchField } from '../../../../ui/choices/switch-field.tsx'
import type { BoundField } from '../../../../ui/fields/field-props.ts'
import { t } from './words.ts'

/** Why what a server has now cannot be backed up before a restore, as far as is known. */
export function whyNoBackup(standing: BackupStanding | undefined): string | undefined {
  if (!standing) return undefined
  const { used, max, whyNot } = standing
  const uses = [
    [used.serverBackups, max.serverBackups],
    [used.backups, max.backups],
    [used.storageMb, max.storageMb],
  ] as const
  const isFull = uses.some(([taken, most]) => most !== null && taken >= most)
  return why(whyNot.create) ?? (isFull ? t.noRoomForBackup : undefined)
}

interface BackUpFirstProps {
  field: BoundField<boolean>
  /** Why not. */
  cannot: string | undefined
}

/** Whether a restore begins with a backup of what it replaces. It does unless somebody declines. */
export const BackUpFirst = ({ field, cannot }: BackUpFirstProps) => (
  <SwitchField
    {...field}
    label={t.backUpFirst}
    description={cannot ?? t.backUpFirstHelp}
    value={field.value && cannot === undefined}
    disabled={cannot !== undefined}
  />
)
