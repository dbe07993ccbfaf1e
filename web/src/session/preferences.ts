import type {
  PreferenceDensity,
  PreferenceLanguage,
  PreferenceMode,
} from '@lodge/shared/accounts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useAct } from '../query.ts'
import { setDensity } from '../theme/density.ts'
import { useMode } from '../theme/theme-provider.tsx'
import { toastRefused } from '../ui/notices/toast.tsx'
import { setAccountLanguage } from './language.ts'
import { type Me, meQuery, useMe } from './session.ts'
import { t } from './words.ts'

const useSave = () => useAct('PUT /api/auth/preferences', ['GET /api/auth/me'])

/** Changes the colour mode immediately and saves it with the account. */
export function useChooseMode(): (mode: PreferenceMode) => void {
  const [, setMode] = useMode()
  const client = useQueryClient()
  const save = useSave()
  return (mode) => {
    setMode(mode)
    // Every change of preferences sends the mode, including one made before this is saved.
    client.setQueryData<Me>(
      meQuery.queryKey,
      (me) => me && { ...me, preferences: { ...me.preferences, mode } },
    )
    save.mutate(
      { body: { mode } },
      {
        onError: (error) => {
          toastRefused(t.modeNotSaved, error)
          void client.invalidateQueries({ queryKey: meQuery.queryKey })
        },
      },
    )
  }
}

/** Changes the density immediately and saves it with the account. */
export function useChooseDensity(): (density: NonNullable<PreferenceDensity>) => void {
  const { mode } = useMe().preferences
  const save = useSave()
  return (density) => {
    setDensity(density)
    save.mutate(
      { body: { mode, density } },
      { onError: (error) => toastRefused(t.densityNotSaved, error) },
    )
  }
}

/** Saves the language with the account, and reloads the panel in it. */
export function useChooseLanguage(): (language: PreferenceLanguage) => void {
  const { mode } = useMe().preferences
  const save = useSave()
  return (language) =>
    save.mutate(
      { body: { mode, language } },
      {
        onSuccess: () => setAccountLanguage(language),
        onError: (error) => toastRefused(t.languageNotSaved, error),
      },
    )
}
