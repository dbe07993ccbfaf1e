import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { rich } from '../../ui/page/rich.ts'
import type { SettingsGroup } from './settings-text.ts'
import { t } from './words.ts'

export type Origin = Reply<'GET /api/settings/origins'>['areas'][number]['settings'][number]

/** The origin and the default of each field of a group by name; undefined while loading. */
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

/** The text below a setting, with a note if the environment overrides it. */
export function withOrigin(description: ReactNode, origin: Origin | undefined): ReactNode {
  if (origin?.origin !== 'environment' || origin.variable === null) return description
  const words = rich(
    t.setByEnvironment({
      variable: origin.variable,
      code: (text) => <code key="code">{text}</code>,
    }),
  )
  return description === undefined ? (
    words
  ) : (
    <>
      {description} {words}
    </>
  )
}
