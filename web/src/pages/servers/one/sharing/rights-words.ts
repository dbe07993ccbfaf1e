import { isOffered } from '@lodge/shared/later.ts'
import { permissionTitle } from '@lodge/shared/server-permission-list.ts'
import { concerns, SERVER_PRESETS, ServerPermission } from '@lodge/shared/server-permissions.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { said } from '../../../../panel/said.ts'
import { t } from './words.ts'

const titlesOfAreas = (): Readonly<Record<string, string>> => ({
  power: t.power,
  console: t.console,
  files: t.files,
  backups: t.backups,
  schedules: t.schedules,
  ports: t.ports,
  startup: t.startup,
  settings: t.settings,
  collaborators: t.collaborators,
  metrics: t.history,
  events: t.history,
  crash: t.crashPolicy,
  vm: t.machine,
})

export interface Area {
  readonly title: string
  readonly permissions: readonly ServerPermission[]
}

/** The permissions for a kind of server, in display groups. */
export function areasOf(kind: Server['kind']): readonly Area[] {
  const titles = titlesOfAreas()
  const groups = Map.groupBy(
    ServerPermission.options.filter((one) => isOffered(one) && concerns(kind, one)),
    (one) => titles[one.split('.')[0] ?? ''] ?? t.otherArea,
  )
  return [...groups].map(([title, permissions]) => ({ title, permissions }))
}

export const titleOf = (permission: ServerPermission): string => said(permissionTitle(permission))

/** Names and descriptions of the presets. */
export const PRESETS = [
  { key: 'viewer', name: () => t.viewer, about: () => t.viewerText },
  { key: 'operator', name: () => t.operator, about: () => t.operatorText },
  { key: 'developer', name: () => t.developer, about: () => t.developerText },
  { key: 'full', name: () => t.full, about: () => t.fullText },
] as const

/** The preset with exactly these permissions; undefined for a custom set. */
export const presetOf = (permissions: readonly ServerPermission[]) =>
  PRESETS.find(({ key }) => {
    const preset = (SERVER_PRESETS[key] ?? []).filter(isOffered)
    const offered = permissions.filter(isOffered)
    return preset.length === offered.length && preset.every((one) => offered.includes(one))
  })

/** The permissions of a preset that the granting person has too. */
export const rightsOfPreset = (
  key: string,
  held: readonly ServerPermission[],
): readonly ServerPermission[] =>
  (SERVER_PRESETS[key] ?? []).filter((one) => held.includes(one) && isOffered(one))
