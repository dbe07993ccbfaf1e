import { isOffered } from '@lodge/shared/later.ts'
import { SERVER_PERMISSIONS } from '@lodge/shared/server-permission-list.ts'
import { SERVER_PRESETS, ServerPermission } from '@lodge/shared/server-permissions.ts'

const AREAS: Readonly<Record<string, string>> = {
  power: 'Power',
  console: 'Console',
  ports: 'Ports',
  startup: 'Startup',
  settings: 'Settings',
  collaborators: 'Sharing',
  metrics: 'What happened',
  events: 'What happened',
  crash: 'After a crash',
  vm: 'Virtual machine',
}

export interface Area {
  readonly title: string
  readonly permissions: readonly ServerPermission[]
}

/** The permissions in the groups in which they are shown. */
export function areas(): readonly Area[] {
  const groups = Map.groupBy(
    ServerPermission.options.filter(isOffered),
    (one) => AREAS[one.split('.')[0] ?? ''] ?? 'Other',
  )
  return [...groups].map(([title, permissions]) => ({ title, permissions }))
}

export const titleOf = (permission: ServerPermission): string =>
  SERVER_PERMISSIONS[permission].title

/** Names and descriptions of the presets. */
export const PRESETS = [
  { key: 'viewer', name: 'Viewer', about: 'Sees everything, changes nothing' },
  { key: 'operator', name: 'Operator', about: 'Also starts, stops and types commands' },
  { key: 'developer', name: 'Developer', about: 'Also ports and variables' },
  { key: 'full', name: 'Everything', about: 'All that the owner may do but delete' },
] as const

/** The preset with exactly these permissions; undefined for a custom set. */
export const presetOf = (permissions: readonly ServerPermission[]) =>
  PRESETS.find(({ key }) => {
    const preset = (SERVER_PRESETS[key] ?? []).filter(isOffered)
    const offered = permissions.filter(isOffered)
    return preset.length === offered.length && preset.every((one) => offered.includes(one))
  })

/** The permissions of a preset that the giver holds too. */
export const rightsOfPreset = (
  key: string,
  held: readonly ServerPermission[],
): readonly ServerPermission[] =>
  (SERVER_PRESETS[key] ?? []).filter((one) => held.includes(one) && isOffered(one))
