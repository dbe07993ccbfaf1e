import type { PluginPage } from '@lodge/shared/plugins/page.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { spokenLanguage } from '../../session/language.ts'
import { useSomePluginPages } from '../../session/plugin-pages.ts'

/** The pages of plugins that this person may see; the event stream keeps them fresh. */
export const usePluginPages = (enabled = true) =>
  useQuery({ ...q('GET /api/plugin-pages'), staleTime: 5 * 60_000, enabled })

/** The tabs of plugins on every server. */
export const useServerPages = (): readonly PluginPage[] =>
  usePluginPages(useSomePluginPages()).data?.items.filter(({ place }) => place === 'server') ?? []

/** The title of a page in the panel's language, otherwise in English. */
export const titleOf = ({ title }: PluginPage): string =>
  title[spokenLanguage() as Language] ?? title.en
