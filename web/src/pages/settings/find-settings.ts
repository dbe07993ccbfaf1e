import type { QueryClient } from '@tanstack/react-query'
import type { Found } from '../../panel/define-pages.ts'
import { mayIn } from '../../session/session.ts'
import { names } from './names.ts'
import { searchSettings } from './setting-search.ts'
import { SETTINGS_GROUPS } from './settings-groups.ts'

const MOST = 8

/** Finds single settings by their texts, and opens their area. */
export default async function findSettings(
  client: QueryClient,
  text: string,
): Promise<readonly Found[]> {
  if (text.trim() === '') return []
  const groups = SETTINGS_GROUPS.filter((group) => mayIn(client, group.may))
  return searchSettings(groups, text)
    .filter(({ field }) => field !== undefined)
    .slice(0, MOST)
    .map(({ id, label, place, path }) => ({
      id: `setting ${id}`,
      group: names.settings,
      label,
      description: place,
      keywords: text,
      to: path,
      params: {},
    }))
}
