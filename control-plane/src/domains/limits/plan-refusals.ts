import type { ServerPlanKey, ServerPlanNumber } from '@lodge/shared/limits/of-plan-server.ts'

/** What the plan of a server does not include at all. */
export function notIncluded(key: ServerPlanKey, plan: string): string {
  switch (key) {
    case 'maxServerBackups':
    case 'maxBackupStorageMb':
      return `The plan ${plan} of this server does not include backups: change to a larger plan`
    case 'maxExtraPorts':
    case 'mayExtraPorts':
      return `The plan ${plan} of this server does not include extra ports: change to a larger plan`
    case 'maxServerCollaborators':
    case 'mayShare':
      return `The plan ${plan} of this server does not include sharing it: change to a larger plan`
    case 'maxServerSchedules':
    case 'maySchedules':
      return `The plan ${plan} of this server does not include schedules: change to a larger plan`
    case 'maySftp':
      return `The plan ${plan} of this server does not include SFTP: use the page Files, or change to a larger plan`
  }
}

interface Amounts {
  readonly plan: string
  readonly value: number
  readonly used: number
  readonly requested: number
}

/** What the plan of a server includes, and the server has. */
export function exhausted(
  key: ServerPlanNumber,
  { plan, value, used, requested }: Amounts,
): string {
  switch (key) {
    case 'maxServerBackups':
      return `This server has all the backups that its plan ${plan} includes (${used} of ${value}): delete one, or change to a larger plan`
    case 'maxBackupStorageMb':
      return `This does not fit in the backup storage that the plan ${plan} of this server includes (${used} of ${value} MiB in use, ${requested} MiB needed): delete a backup, or change to a larger plan`
    case 'maxExtraPorts':
      return `This server has all the extra ports that its plan ${plan} includes (${used} of ${value}): remove one, or change to a larger plan`
    case 'maxServerCollaborators':
      return `This server is shared with as many people as its plan ${plan} includes (${used} of ${value}): remove somebody, or change to a larger plan`
    case 'maxServerSchedules':
      return `This server has all the schedules that its plan ${plan} includes (${used} of ${value}): delete one, or change to a larger plan`
  }
}
