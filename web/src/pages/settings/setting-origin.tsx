import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import type { SettingsGroup } from './settings-text.ts'

export type Origin = Reply<'GET /api/settings/origins'>['areas'][number]['settings'][number]

/** The origin of each field of a group by name; undefined while loading. */
export function useOrigins<F extends string>(
  group: SettingsGroup<F>,
): (name: F) => Origin | undefined {
  const may = useMay()('settings.manage')
  const { data } = useQuery({ ...q('GET /api/settings/origins'), enabled: may })
  const own = data?.areas.find(({ area }) => area === group.stored)
  return (name) => {
    const pointer = group.fields[name].at ?? `/${name}`
    return own?.settings.find((setting) => setting.pointer === pointer)
  }
}

const WORDS = { default: 'Default', set: 'Set here' } as const

/** The text below a setting: its description and its origin. */
export function withOrigin(description: ReactNode, origin: Origin | undefined): ReactNode {
  if (!origin) return description
  const words =
    origin.origin === 'environment' ? (
      <b>{origin.variable} of the environment holds in its place</b>
    ) : (
      WORDS[origin.origin]
    )
  return description === undefined ? (
    words
  ) : (
    <>
      {description} · {words}
    </>
  )
}
