import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followEvents } from '../live/stream.ts'
import { useMe } from '../session/session.ts'
import { useMode } from '../theme/theme-provider.tsx'

/** Follows the events for as long as somebody is signed in, and takes over the chosen colour mode. */
export function useSignedIn(): void {
  const client = useQueryClient()
  const { preferences } = useMe()
  const [, setMode] = useMode()
  useEffect(() => followEvents(client), [client])
  // Only what the account says may set the mode
  useEffect(() => {
    if (preferences.mode !== null) setMode(preferences.mode)
  }, [preferences.mode])
}
