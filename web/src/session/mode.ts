import type { PreferenceMode } from '@lodge/shared/accounts.ts'
import { useAct } from '../query.ts'
import { useMode } from '../theme/theme-provider.tsx'
import { toastRefused } from '../ui/notices/toast.tsx'

/** Changes the colour mode at once and saves it with the account. */
export function useChooseMode(): (mode: PreferenceMode) => void {
  const [, setMode] = useMode()
  const save = useAct('PUT /api/auth/preferences', ['GET /api/auth/me'])
  return (mode) => {
    setMode(mode)
    save.mutate(
      { body: { mode } },
      { onError: (error) => toastRefused('The colour mode was not saved', error) },
    )
  }
}
